package b2.scoreboard;

import java.util.Collections;
import java.util.Set;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Scores by player.
 *
 * <p>Thread-safe. Methods that concern one player are atomic. Methods that concern all players are
 * weakly consistent: while scores are changed by other threads, each change may be reflected or
 * not, independently of the order of the changes.
 */
public class ScoreBoard {
    private final ConcurrentNavigableMap<String, Integer> scores = new ConcurrentSkipListMap<>();

    /** Adds points to a player's score; returns the new score. */
    public int addPoints(String player, int points) {
        return scores.merge(player, points, Integer::sum);
    }

    /** Returns the player's score; 0 if he has none. */
    public int score(String player) {
        return scores.getOrDefault(player, 0);
    }

    /** Removes a player; returns his score, or null if he had none. */
    public Integer remove(String player) {
        return scores.remove(player);
    }

    /**
     * Returns a read-only live view of the players in alphabetical order. It changes with the
     * board. Its iterators are weakly consistent and never throw
     * {@link java.util.ConcurrentModificationException}; its size is an estimate.
     */
    public Set<String> players() {
        return Collections.unmodifiableSet(scores.keySet());
    }

    /** Returns the sum of all scores (weakly consistent). */
    public long estimatedTotal() {
        long sum = 0;
        for (int score : scores.values()) {
            sum += score;
        }
        return sum;
    }

    /** Returns the number of players (weakly consistent). */
    public int estimatedSize() {
        return scores.size();
    }

    /** Removes the players seen by a weakly consistent iteration one by one. */
    public void clear() {
        for (String player : scores.keySet()) {
            scores.remove(player);
        }
    }
}
