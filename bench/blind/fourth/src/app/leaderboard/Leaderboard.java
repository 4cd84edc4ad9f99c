package app.leaderboard;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListSet;

/**
 * Ranks players by their latest score, highest first; players with equal scores are ranked by name.
 *
 * <p>Thread-safe without locks. {@link #top} walks over the ranking while other threads change it, so
 * a player whose score is just being replaced may be missing or be listed with both scores. When no
 * update is running, the ranking holds every player exactly once, with the score that
 * {@link #scoreOf} returns.
 */
public class Leaderboard {

    /** A player and the score. */
    public record Entry(String player, long score) {
    }

    private static final Comparator<Entry> RANKING =
            Comparator.comparingLong(Entry::score).reversed().thenComparing(Entry::player);

    private final ConcurrentMap<String, Long> scores = new ConcurrentHashMap<>();
    private final ConcurrentSkipListSet<Entry> ranking = new ConcurrentSkipListSet<>(RANKING);

    /** Sets the score of a player, replacing an earlier one. */
    public void submit(String player, long score) {
        Objects.requireNonNull(player);
        Long old = scores.put(player, score);
        if (old != null) {
            if (old == score) {
                return;
            }
            ranking.remove(new Entry(player, old));
        }
        ranking.add(new Entry(player, score));
    }

    /** Takes a player off the board; returns whether there was one. */
    public boolean withdraw(String player) {
        Long old = scores.remove(player);
        if (old == null) {
            return false;
        }
        ranking.remove(new Entry(player, old));
        return true;
    }

    /** Returns the score of the player, if there is one. */
    public OptionalLong scoreOf(String player) {
        Long score = scores.get(player);
        return score == null ? OptionalLong.empty() : OptionalLong.of(score);
    }

    /** Returns the best entries, at most the given number. */
    public List<Entry> top(int max) {
        List<Entry> out = new ArrayList<>();
        for (Entry e : ranking) {
            if (out.size() >= max) {
                break;
            }
            out.add(e);
        }
        return out;
    }

    /** Returns the number of players. */
    public int players() {
        return scores.size();
    }
}
