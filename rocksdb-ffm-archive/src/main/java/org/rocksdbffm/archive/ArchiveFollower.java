/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.function.Function;
import org.rocksdbffm.Follower;
import org.rocksdbffm.RocksDb;

/**
 * Reads an archived database on another machine: at one point in time, which {@link #catchUp} advances. It restores a base
 * to a folder, and then reads only new entries of the archive. Its owner closes it. Thread-safe.
 */
public final class ArchiveFollower implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final long MOST_OF_LOGS = 64 << 20;
  private static final String LINK = "current";

  private final Path folder;
  private final Chain chain;
  private final Follower follower;

  // Guarded by this.
  private Plan plan;
  private Entry last;
  private Logs logs;
  private Path state; // the folder that the link leads to
  private long bytes; // the size of the WAL in this folder
  private boolean isBehind; // whether the follower's last catch-up with the folder has failed
  private boolean isClosed;

  private ArchiveFollower(Path folder, Chain chain, Function<? super Path, Follower> opening) throws IOException {
    this.folder = folder;
    this.chain = chain;
    clear(null);
    moveTo(Plan.of(chain, chain.end(0), Target.newest()));
    try {
      this.follower = opening.apply(folder.resolve(LINK));
    } catch (Throwable e) {
      logs.close();
      throw e;
    }
  }

  /**
   * Restores the newest state, and opens it for reading.
   *
   * @param store the store of the archive, <em>borrowed until</em> the close
   * @param folder a folder that only the follower uses; it is created if it is missing, and files of an earlier
   * follower in it are deleted
   * @param opening opens the follower of a path, such as
   * {@code path -> RocksDb.at(path).defaults(options).openFollower()}
   * @return the follower, which the caller <em>owns</em> and must close
   * @throws IOException if the store or the folder fails, or an object is {@linkplain Damage damaged}
   * @throws IllegalArgumentException if the archive has no complete base yet
   */
  public static ArchiveFollower open(ObjectStore store, Path folder, Function<? super Path, Follower> opening)
      throws IOException {
    Path real = Files.createDirectories(requireNonNull(folder, "folder")).toRealPath();
    return new ArchiveFollower(
        real, new Chain(requireNonNull(store, "store"), Attempts.within(PATIENCE)), requireNonNull(opening, "opening"));
  }

  /** Deletes all states but one. */
  private void clear(Path kept) throws IOException {
    try (DirectoryStream<Path> states = Files.newDirectoryStream(folder, "state-*")) {
      for (Path each : states) {
        if (!each.equals(kept) && Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS)) {
          delete(each);
        }
      }
    }
  }

  private static void delete(Path directory) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
    }
    Files.deleteIfExists(directory);
  }

  /** Restores a state next to the last one, and moves the link to it; files that both states have are linked. */
  private void moveTo(Plan next) throws IOException {
    Path target = folder.resolve("state-" + next.base() + "-" + next.last());
    Map<String, Path> present = new HashMap<>();
    if (plan != null) {
      for (BaseFiles.Stored file : plan.files().files()) {
        present.put(HexFormat.of().formatHex(file.hash()), state.resolve(file.name()));
      }
    }
    Files.createDirectory(target);
    Logs written = new Logs(target, next.files().firstLog());
    Entry newest;
    try {
      newest = new Restore(chain, next, (done, of) -> {}).linking(present).fill(target, written);
    } catch (Throwable e) {
      written.close();
      delete(target); // the next attempt restores the same state
      throw e;
    }
    Path link = folder.resolve(LINK + ".tmp");
    Files.deleteIfExists(link);
    Files.createSymbolicLink(link, target.getFileName());
    Files.move(link, folder.resolve(LINK), StandardCopyOption.ATOMIC_MOVE);
    if (logs != null) {
      logs.close();
    }
    logs = written;
    plan = next;
    last = newest;
    state = target;
    bytes = written.size();
  }

  /**
   * Advances to the newest state that can be restored.
   *
   * @return whether there were new writes
   * @throws IOException if the store fails, or an object is damaged: the follower keeps its state
   */
  public synchronized boolean catchUp() throws IOException {
    if (isClosed) {
      throw new IllegalStateException(this + " is closed");
    }
    boolean wasBehind = isBehind;
    if (wasBehind) {
      readFolder();
    }
    long end = chain.end(last.head().index());
    if (end == last.head().index()) {
      return wasBehind;
    }
    Entry.Head newest = chain.head(end);
    boolean isNextKept = chain.firstKept() <= last.head().index() + 1; // a prune deletes entries that were not read yet
    if (isNextKept && newest.line() == last.head().line() && (bytes < MOST_OF_LOGS || newest.base() == plan.base())) {
      append(end);
      readFolder();
      return true;
    }
    Plan next = Plan.of(chain, end, Target.newest());
    if (next.last() <= last.head().index()) {
      return wasBehind; // the newest line has no base yet
    }
    if (isNextKept && chain.head(next.last()).line() == last.head().line() && next.base() == plan.base()) {
      append(next.last());
      readFolder();
    } else {
      moveTo(next);
      readFolder();
      clear(state);
    }
    return true;
  }

  /** Reads the files that were written; after a failure, the next catch-up reads them. */
  private void readFolder() {
    isBehind = true;
    follower.catchUp();
    isBehind = false;
  }

  private void append(long until) throws IOException {
    while (last.head().index() < until) {
      Entry entry = chain.following(last);
      if (entry.head().kind() == Entry.Kind.SEGMENT) {
        logs.write(entry, Long.MAX_VALUE);
      }
      last = entry;
    }
    bytes = logs.size();
  }

  /**
   * Reads the database as of the last catch-up, as {@link Follower#read} does.
   *
   * @param <T> the type of the result
   * @param reading receives the database, <em>borrowed until</em> it returns
   * @return the function's result
   */
  public <T> T read(Function<? super RocksDb, T> reading) {
    return follower.read(reading);
  }

  /**
   * Returns when the state was archived.
   *
   * @return the time of its newest entry
   */
  public synchronized Instant time() {
    return Instant.ofEpochMilli(last.head().millis());
  }

  /**
   * Returns the last write that the state includes.
   *
   * @return the sequence number of that write
   */
  public synchronized long sequence() {
    return last.head().sequence();
  }

  /** Closes the follower; idempotent. Its folder stays, until another follower uses it. */
  @Override
  public synchronized void close() {
    if (!isClosed) {
      isClosed = true;
      follower.close();
      try {
        logs.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Override
  public String toString() {
    return "follower of an archive in " + folder;
  }
}
