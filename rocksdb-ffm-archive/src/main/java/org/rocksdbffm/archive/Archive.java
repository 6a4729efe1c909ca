/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.internal.files.ArchivedDatabase;

/**
 * The archive of a database in an object store: bases, which are copies of its files, and the WAL since then. Thread-safe.
 *
 * <pre>{@code
 * Archive archive = Archive.in(FolderStore.open(Path.of("/backup/orders")));
 * try (RocksDb db = RocksDb.open(Path.of("/data/orders"));
 *     Archiver archiver = archive.start(db)) {
 *   ...
 * }
 * archive.restore(Path.of("/data/orders-restored"), Target.newest());
 * }</pre>
 */
public final class Archive {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final ObjectStore store;

  private Archive(ObjectStore store) {
    this.store = store;
  }

  /**
   * Returns the archive in a store, which must contain the objects of one archive only.
   *
   * @param store the store, <em>borrowed until</em> the last use of the archive
   * @return the archive
   */
  public static Archive in(ObjectStore store) {
    return new Archive(requireNonNull(store, "store"));
  }

  private Chain chain() {
    return new Chain(store, Attempts.within(PATIENCE));
  }

  /**
   * Starts to archive a database with {@linkplain Archiver.Options#defaults default options}.
   *
   * @param db open for writing
   * @return the archiver, which the caller <em>owns</em> and must close before the database
   * @throws IllegalArgumentException if the database is open for reading only
   * @throws IllegalStateException if the database is closed
   */
  public Archiver start(RocksDb db) {
    return start(db, Archiver.Options.defaults());
  }

  /**
   * Starts to archive a database. Returns immediately; {@link Archiver#status} reports problems, including an archive that
   * another process writes.
   *
   * @param db open for writing
   * @param options how it is archived
   * @return the archiver, which the caller <em>owns</em> and must close before the database
   * @throws IllegalArgumentException if the database is open for reading only
   * @throws IllegalStateException if the database is closed
   */
  public Archiver start(RocksDb db, Archiver.Options options) {
    OpenDb open = new OpenDb(requireNonNull(db, "db"));
    requireNonNull(options, "options");
    try (ArchivedDatabase.End _ = open.pauseDeletions()) {
      return new Archiver(store, open, options);
    } catch (RocksDbException e) {
      if (e.code() != RocksDbException.Code.NOT_SUPPORTED) {
        throw e;
      }
      throw new IllegalArgumentException(
          "db: " + db.path() + " is open for reading only, and only the process that writes it can archive it", e);
    }
  }

  /** Receives the progress of a restore. */
  public interface Progress {
    /**
     * A file was copied. Called by several threads.
     *
     * @param bytes how many bytes of the base were copied so far
     * @param of the size of the base
     */
    void copied(long bytes, long of);
  }

  /**
   * A restored state.
   *
   * @param time when the state was archived
   * @param sequence the state has all writes up to this number
   * @param bytes the size of the base that was copied
   */
  public record Restored(Instant time, long sequence, long bytes) {}

  /**
   * Restores a state of the database to a new folder, and verifies all objects that it reads.
   *
   * @param folder must not exist, or be empty
   * @param target the state
   * @return the restored state
   * @throws IOException if the store fails, or an object is {@linkplain Damage damaged}; no folder appears then
   * @throws IllegalArgumentException if the archive has no such state
   * @throws org.rocksdbffm.RocksDbException if the folder is not empty or cannot be created
   */
  public Restored restore(Path folder, Target target) throws IOException {
    return restore(folder, target, (bytes, of) -> {});
  }

  /**
   * Restores a state of the database to a new folder, verifies all objects that it reads, and reports the progress. The WAL
   * is in the same folder even if {@code wal_dir} was set: open the database with {@link
   * org.rocksdbffm.DatabaseOptions#replaceWalDir} then.
   *
   * @param folder must not exist, or be empty
   * @param target the state
   * @param progress called for each file
   * @return the restored state
   * @throws IOException if the store fails, or an object is {@linkplain Damage damaged}; no folder appears then
   * @throws IllegalArgumentException if the archive has no such state
   * @throws org.rocksdbffm.RocksDbException if the folder is not empty or cannot be created
   */
  public Restored restore(Path folder, Target target, Progress progress) throws IOException {
    requireNonNull(folder, "folder");
    Chain chain = chain();
    long end = chain.end(0);
    Plan plan = Plan.of(chain, end, requireNonNull(target, "target"));
    Entry.Head newest = chain.head(end);
    Entry.Head line = chain.head(newest.line());
    Descent descent = new Descent(UUID.randomUUID().toString(), newest.line(), line == null ? "" : line.writer());
    new Restore(chain, plan, requireNonNull(progress, "progress")).run(folder, descent);
    return new Restored(Instant.ofEpochMilli(chain.head(plan.last()).millis()), plan.cut(), plan.files().size());
  }

  /**
   * A base of the archive.
   *
   * @param entry the number of its entry
   * @param time when it was complete
   * @param sequence states from this number on are restored from it
   * @param files the number of its files
   * @param bytes their size; files that several bases have in common are stored once
   */
  public record Base(long entry, Instant time, long sequence, int files, long bytes) {}

  /**
   * The contents of an archive.
   *
   * @param bases the bases, the oldest first
   * @param newest the time of the newest entry; null if the archive is empty
   * @param sequence all writes up to this number are in the archive; after a change that is not in the WAL, later
   * writes can be restored when a newer base is complete
   * @param entries the number of the newest entry
   */
  public record Contents(List<Base> bases, Instant newest, long sequence, long entries) {
    /** Copies the list. */
    public Contents {
      bases = List.copyOf(bases);
    }
  }

  /**
   * Lists the bases.
   *
   * @return the contents of the archive
   * @throws IOException if the store fails, or an object is damaged
   */
  public Contents list() throws IOException {
    Chain chain = chain();
    long end = chain.end(0);
    if (end == 0) {
      return new Contents(List.of(), null, 0, 0);
    }
    List<Base> bases = new ArrayList<>();
    for (long index : new Bases(chain, end).indexes()) {
      Entry entry = chain.require(index);
      BaseFiles files = BaseFiles.read(entry);
      bases.add(
          new Base(
              index, Instant.ofEpochMilli(entry.head().millis()), files.sequence(), files.files().size(), files.size()));
    }
    Entry.Head newest = chain.head(end);
    return new Contents(bases, Instant.ofEpochMilli(newest.millis()), newest.sequence(), end);
  }

  /**
   * Which states of an archive are kept.
   *
   * @param allStates each state that is younger can be restored
   * @param between an interval; of bases older than {@code allStates}, one is kept for each interval
   * @param basesFor bases that are older are deleted
   */
  public record Policy(Duration allStates, Duration between, Duration basesFor) {
    /** Checks the policy. */
    public Policy {
      if (requireNonNull(allStates, "allStates").isNegative()) {
        throw new IllegalArgumentException("allStates: " + allStates + " is below zero");
      }
      if (TimeUnit.MILLISECONDS.convert(requireNonNull(between, "between")) < 1) {
        throw new IllegalArgumentException("between: " + between + ", but it must be at least a millisecond");
      }
      requireNonNull(basesFor, "basesFor");
    }
  }

  /**
   * The result of {@link #prune}.
   *
   * @param bases how many bases are kept
   * @param objects how many objects were deleted
   * @param bytes their size
   */
  public record Pruned(int bases, int objects, long bytes) {}

  /**
   * Deletes the objects that are only needed for states that a policy does not keep. Safe while the database is archived, by
   * this process or another one. The newest base and everything after it are always kept. If it is interrupted, the next
   * call deletes the rest. A concurrent restore of an old state may fail.
   *
   * @param policy the states to keep
   * @return the number of deleted objects
   * @throws IOException if the store fails, an object is damaged, or another process prunes the archive
   */
  public Pruned prune(Policy policy) throws IOException {
    return new Pruning(chain(), requireNonNull(policy, "policy"), System.currentTimeMillis()).run();
  }

  /**
   * The result of {@link #verify}.
   *
   * @param bases the number of bases
   * @param entries the number of verified entries
   * @param files the number of verified objects with files of bases
   * @param bytes how many bytes were read
   * @param damages the objects that are missing or have a wrong content; empty if each state can be restored
   */
  public record Verified(int bases, long entries, int files, long bytes, List<Damage> damages) {
    /** Copies the list. */
    public Verified {
      damages = List.copyOf(damages);
    }
  }

  /**
   * Reads all objects that restores need, and verifies their checksums and that none is missing.
   *
   * @return the damages
   * @throws IOException if the store fails
   */
  public Verified verify() throws IOException {
    return new Verification(chain()).run();
  }
}
