package app.lobby;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;

/**
 * Brings waiting players together: as soon as there are enough of them, a match begins with those
 * who have waited longest.
 *
 * <p>Thread-safe. A player is either waiting or not, and becomes part of one match at most per call of
 * {@link #join}. The futures are completed without any lock held, by the thread whose join completes
 * the match or whose leave ends the waiting; this may happen a little after other threads can see the
 * effect with {@link #waiting}. Cancelling or completing a returned future has no effect on the lobby.
 */
public class GameLobby {

    /** A match and its players, in the order of joining. */
    public record Match(int number, List<String> players) {
    }

    private final int playersPerMatch;
    private final Map<String, CompletableFuture<Match>> waiting = new LinkedHashMap<>();
    private int matches;

    public GameLobby(int playersPerMatch) {
        if (playersPerMatch < 1) {
            throw new IllegalArgumentException("playersPerMatch: " + playersPerMatch);
        }
        this.playersPerMatch = playersPerMatch;
    }

    /**
     * Makes a player wait for a match.
     *
     * @return a future of the match; it fails with a {@link CancellationException} as cause if the
     *     player leaves before the match begins
     * @throws IllegalStateException if the player is already waiting
     */
    public CompletableFuture<Match> join(String player) {
        Objects.requireNonNull(player);
        CompletableFuture<Match> mine = new CompletableFuture<>();
        List<CompletableFuture<Match>> complete;
        Match match;
        synchronized (this) {
            if (waiting.putIfAbsent(player, mine) != null) {
                throw new IllegalStateException(player + " is waiting");
            }
            if (waiting.size() < playersPerMatch) {
                return mine.copy();
            }
            match = new Match(++matches, List.copyOf(waiting.keySet()));
            complete = new ArrayList<>(waiting.values());
            waiting.clear();
        }
        for (CompletableFuture<Match> f : complete) {
            f.complete(match);
        }
        return mine.copy();
    }

    /**
     * Ends the waiting of a player.
     *
     * @return {@code false} if the player is not waiting, maybe because a match has just begun
     */
    public boolean leave(String player) {
        CompletableFuture<Match> future;
        synchronized (this) {
            future = waiting.remove(player);
        }
        if (future == null) {
            return false;
        }
        future.completeExceptionally(new CancellationException(player + " has left"));
        return true;
    }

    /** Returns the players waiting, in the order of joining. */
    public synchronized List<String> waiting() {
        return List.copyOf(waiting.keySet());
    }

    /** Returns how many matches have begun. */
    public synchronized int matches() {
        return matches;
    }
}
