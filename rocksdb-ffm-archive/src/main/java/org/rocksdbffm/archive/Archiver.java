/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.internal.files.ArchivedDatabase;
import org.rocksdbffm.internal.files.ArchivedDatabase.Hold;
import org.rocksdbffm.internal.format.DatabaseFile;
import org.rocksdbffm.internal.watch.OpenDatabases;

/**
 * Archives an open database continuously, on a thread that it owns: every second the new part of the WAL, and from time to
 * time the files of a base. The database is not slowed down while the store fails; {@link #status} then reports the lag.
 * Its owner closes it before the database. Thread-safe.
 */
public final class Archiver implements AutoCloseable {
  private static final long SEGMENT = 4 << 20;
  private static final long LARGEST_SEGMENT = Math.min(512 << 20, Runtime.getRuntime().maxMemory() / 8); // four copies
  private static final int BASES_TO_LEARN = 3;
  private static final long LAST_PAUSE = 20;
  private static final int DAYS_OF_CENTURY = 36_525;
  private static final long RENEWAL_NANOS = TimeUnit.SECONDS.toNanos(10);

  /**
   * How a database is archived.
   *
   * @param segmentEvery how often new writes are stored
   * @param baseEvery how often a new base is made, if there were writes
   * @param leastBetweenBases the shortest time between bases that are made because of changes that the WAL does not have
   * @param bytesPerSecond a limit for reading and sending the files of bases; zero for none
   * @param retainFor how long WAL files are retained for the archive while the store fails; then they are deleted, and
   *     archiving continues with a new base
   * @param retainBytes how many bytes of WAL files are retained for that at most
   * @param closeWithin how long a close waits for the store to take the last writes, and the base that they need
   * @param takeOver whether the archive is continued even if the database does not descend from its newest state: only if
   *     no other process will write it again
   */
  public record Options(
      Duration segmentEvery,
      Duration baseEvery,
      Duration leastBetweenBases,
      ByteSize bytesPerSecond,
      Duration retainFor,
      ByteSize retainBytes,
      Duration closeWithin,
      boolean takeOver) {
    /** Checks the options. */
    public Options {
      requirePositive(segmentEvery, "segmentEvery");
      requirePositive(baseEvery, "baseEvery");
      requirePositive(retainFor, "retainFor");
      if (requireNonNull(leastBetweenBases, "leastBetweenBases").isNegative()) {
        throw new IllegalArgumentException("leastBetweenBases: " + leastBetweenBases + " is below zero");
      }
      if (requireNonNull(closeWithin, "closeWithin").isNegative()) {
        throw new IllegalArgumentException("closeWithin: " + closeWithin + " is below zero");
      }
      requireNonNull(bytesPerSecond, "bytesPerSecond");
      requireNonNull(retainBytes, "retainBytes");
    }

    private static void requirePositive(Duration duration, String name) {
      if (requireNonNull(duration, name).isNegative() || duration.isZero()) {
        throw new IllegalArgumentException(name + ": " + duration + ", but it must be longer than nothing");
      }
    }

    /**
     * Returns the default options: a segment a second, a base an hour, and no limit of bandwidth.
     *
     * @return the options
     */
    public static Options defaults() {
      return new Options(
          Duration.ofSeconds(1),
          Duration.ofHours(1),
          Duration.ofSeconds(10),
          ByteSize.bytes(0),
          Duration.ofMinutes(10),
          ByteSize.gib(1),
          Duration.ofSeconds(10),
          false);
    }

    /**
     * Sets how often new writes are stored, and new bases are made.
     *
     * @param segments the time between segments
     * @param bases the time between bases
     * @return new options
     */
    public Options every(Duration segments, Duration bases) {
      return new Options(
          segments, bases, leastBetweenBases, bytesPerSecond, retainFor, retainBytes, closeWithin, takeOver);
    }

    /**
     * Sets the shortest time between bases that are made because of changes that the WAL does not have.
     *
     * @param least the shortest time
     * @return new options
     */
    public Options leastBetweenBases(Duration least) {
      return new Options(
          segmentEvery, baseEvery, least, bytesPerSecond, retainFor, retainBytes, closeWithin, takeOver);
    }

    /**
     * Limits the bandwidth of bases.
     *
     * @param limit the bytes per second; zero for no limit
     * @return new options
     */
    public Options bytesPerSecond(ByteSize limit) {
      return new Options(
          segmentEvery, baseEvery, leastBetweenBases, limit, retainFor, retainBytes, closeWithin, takeOver);
    }

    /**
     * Limits which WAL files are retained while the store fails.
     *
     * @param time the longest time
     * @param bytes the largest size
     * @return new options
     */
    public Options retain(Duration time, ByteSize bytes) {
      return new Options(
          segmentEvery, baseEvery, leastBetweenBases, bytesPerSecond, time, bytes, closeWithin, takeOver);
    }

    /**
     * Sets how long a close waits for the store to take the last writes, and the base that they need.
     *
     * @param limit the longest wait
     * @return new options
     */
    public Options closeWithin(Duration limit) {
      return new Options(
          segmentEvery, baseEvery, leastBetweenBases, bytesPerSecond, retainFor, retainBytes, limit, takeOver);
    }

    /**
     * Continues the archive even if the database does not descend from its newest state.
     *
     * @return new options
     */
    public Options takingOver() {
      return new Options(
          segmentEvery, baseEvery, leastBetweenBases, bytesPerSecond, retainFor, retainBytes, closeWithin, true);
    }
  }

  /** The states of an archiver. */
  public enum Phase {
    /** No base of the current line is complete: newer writes cannot be restored yet. */
    BASE,
    /** New writes are archived. */
    FOLLOWING,
    /** The store or the database fails; the archiver tries again. */
    FAILING,
    /** Another process writes the archive; this archiver has stopped. */
    FENCED,
    /** An object of the archive is damaged, or there was an unexpected error; the archiver has stopped. */
    STOPPED,
    /** The archiver or the database is closed. */
    CLOSED
  }

  /**
   * The state of an archiver, for metrics and health checks.
   *
   * @param phase whether it archives
   * @param lag the age of the newest state that can be restored for certain
   * @param sequence all writes up to this number can be restored
   * @param writesBehind how many writes cannot be restored yet
   * @param bytesBehind how many bytes of WAL were not archived when it was last read or the store last failed
   * @param segments how many segments this archiver has stored
   * @param bases how many bases this archiver has stored
   * @param walBytes how many bytes of WAL it has stored, before compression
   * @param objects how many objects it has stored
   * @param bytes their size
   * @param failures how many requests to the store have failed
   * @param problem the last problem, or why a new base is needed; empty if there is none
   */
  public record Status(
      Phase phase,
      Duration lag,
      long sequence,
      long writesBehind,
      long bytesBehind,
      long segments,
      long bases,
      long walBytes,
      long objects,
      long bytes,
      long failures,
      String problem) {
    /**
     * Returns whether the archiver works: it follows, or makes a base.
     *
     * @return false if it fails or has stopped
     */
    public boolean isHealthy() {
      return phase == Phase.FOLLOWING || phase == Phase.BASE;
    }
  }

  private final ArchivedDatabase db;
  private final Path folder;
  private final CountingStore store;
  private final Options options;
  private final Chain chain;
  private final Attempts uploading = new Attempts(new Retries());
  private final Throttle throttle;
  private final SegmentCompression compression = new SegmentCompression();
  private final Map<String, String> objects = new ConcurrentHashMap<>();
  private final Map<String, Upload.Known> hashes = new ConcurrentHashMap<>();
  private final Thread thread;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private boolean closing; // guarded by lock
  private boolean isAwaited; // guarded by lock: the next step does not wait
  private volatile long closeUntil; // nanoTime; used while closing
  private volatile boolean isClosing;
  private volatile boolean hasEnded;

  // Written by the archiver's thread.
  private volatile Phase phase = Phase.BASE;
  private volatile String problem = "";
  private volatile long nextIndex = 1;
  private volatile long caughtUp = System.nanoTime();
  private volatile long restorable;
  private long markedSequence; // the database's at the time markedAt; the archive may not have reached it yet
  private long markedAt;
  private volatile long segments;
  private volatile long bases;
  private volatile long walBytes;
  private volatile long unread;

  // Used by the archiver's thread.
  private Descent descent;
  private Writer writer;
  private Path logFolder;
  private LogTail tail; // null: a new line is needed
  private ManifestTail manifest;
  private long beingStored; // bytes of WAL that the tail has read
  private ArchivedDatabase.End retention;
  private long renewed;
  private Upload upload; // null: no base is in progress
  private boolean hasBase; // of the line
  private long lineBegan;
  private long lineCovered; // the line's first base has all writes up to this number
  private long lastHold;
  private long lastHoldSequence = -1;
  private String reason = "the archiver was started";
  private final NavigableMap<Long, Long> firstEntries = new TreeMap<>(); // entry indexes by WAL file
  private final Set<String> condemned = new HashSet<>();

  Archiver(ObjectStore store, ArchivedDatabase db, Options options) {
    this.store = new CountingStore(store);
    this.db = db;
    this.folder = Path.of(db.path());
    this.options = options;
    this.throttle = new Throttle(options.bytesPerSecond().bytes());
    this.chain = new Chain(this.store, new Attempts(new Retries()));
    this.lastHold = System.nanoTime() - nanos(options.leastBetweenBases());
    OpenDatabases.setArchiver(db.path(), this::measurement);
    this.thread = Thread.ofPlatform().daemon().name("rocksdb-ffm archive of " + db.path()).start(this::runWithKeys);
  }

  /** Repeats requests until a time after the close, and gives the WAL up after a time. */
  private final class Retries implements Attempts.Watch {
    private volatile boolean isFailing;

    @Override
    public boolean failed(IOException failure, long nanos) {
      isFailing = true;
      problem = "the store fails: " + textOf(failure);
      phase = Phase.FAILING;
      boolean isLate = nanos > nanos(options.retainFor());
      if (Thread.currentThread() == thread) {
        unread = unread();
        if (isLate || unread > options.retainBytes().bytes()) {
          release();
        }
      }
      boolean isOver = isClosing && System.nanoTime() - closeUntil > 0;
      return !isOver && (Thread.currentThread() == thread || !isLate);
    }

    @Override
    public void succeeded() {
      if (isFailing) {
        isFailing = false;
        problem = "";
        phase = hasBase ? Phase.FOLLOWING : Phase.BASE;
      }
    }
  }

  private long unread() {
    try {
      return tail == null ? 0 : beingStored + tail.unread();
    } catch (IOException e) {
      return 0; // the failure is reported when the WAL is read
    }
  }

  private void release() {
    if (retention != null) {
      retention.close();
      retention = null;
    }
  }

  /** Runs with the keys of an encrypted database, which are needed to find the batches in its WAL. */
  private void runWithKeys() {
    try {
      db.useKeys(() -> {
        run();
        return null;
      });
    } catch (IllegalStateException closed) {
      end(Phase.CLOSED, closed);
    }
  }

  private void run() {
    try {
      start();
      while (!isClosing) {
        attemptStep();
        pause();
      }
      archiveLast();
      phase = Phase.CLOSED;
    } catch (Fenced e) {
      end(Phase.FENCED, e);
    } catch (InterruptedIOException | InterruptedException e) {
      end(Phase.CLOSED, e);
    } catch (IOException | RuntimeException | Error e) {
      end(isClosing || isDatabaseClosed() ? Phase.CLOSED : Phase.STOPPED, e);
    } finally {
      finish();
    }
  }

  /** Archives the last writes, and a base if they need one, for as long as a close may wait. */
  private void archiveLast() throws IOException, InterruptedException {
    attemptStep();
    while (phase != Phase.FOLLOWING && System.nanoTime() - closeUntil < 0) {
      Thread.sleep(LAST_PAUSE);
      attemptStep();
    }
    if (phase != Phase.FOLLOWING) {
      reportUnarchived();
    }
  }

  private void reportUnarchived() {
    problem =
        "writes after number " + restorable + " are not archived: the archiver was closed before "
            + (hasBase ? "the store took them" : "a base was complete")
            + (problem.isEmpty() ? "" : "; " + problem);
  }

  private void end(Phase last, Throwable e) {
    problem = textOf(e);
    if (isClosing && last == Phase.CLOSED) {
      reportUnarchived();
    }
    phase = last;
  }

  private static String textOf(Throwable e) {
    return e.getMessage() == null ? e.toString() : e.getMessage();
  }

  private void finish() {
    try {
      try {
        stopUpload();
      } finally {
        release();
      }
    } catch (InterruptedException | RuntimeException e) {
      return; // the close no longer waits for the upload, or the database is closed, and has released the files
    } finally {
      hasEnded = true;
      signal();
    }
  }

  private boolean isDatabaseClosed() {
    try {
      db.latestSequenceNumber();
      return false;
    } catch (IllegalStateException e) {
      return true;
    }
  }

  private void pause() throws InterruptedException {
    lock.lock();
    try {
      changed.signalAll();
      long left = upload == null ? nanos(options.segmentEvery()) : Math.min(nanos(options.segmentEvery()), 100_000_000);
      while (!closing && !isAwaited && left > 0) {
        left = changed.awaitNanos(left);
      }
      isAwaited = false;
    } finally {
      lock.unlock();
    }
  }

  /** Returns a duration in nanoseconds, from zero to a century, so that it can be added to a time. */
  private static long nanos(Duration duration) {
    return Math.clamp(TimeUnit.NANOSECONDS.convert(duration), 0, TimeUnit.DAYS.toNanos(DAYS_OF_CENTURY));
  }

  private void signal() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Takes the archive over, if the database descends from its newest line. */
  private void start() throws IOException {
    descent = Descent.of(folder);
    Entry newest = newest();
    writer = new Writer(chain, descent.writer(), newest, System::currentTimeMillis, this::passOver);
    learnObjects(newest);
    nextIndex = writer.nextIndex();
  }

  /** Learns the objects of the newest bases, which are not stored again. */
  private void learnObjects(Entry newest) throws IOException {
    if (newest == null) {
      return;
    }
    Prune prune = Prune.newest(chain, newest.head());
    long firstKept = prune == null ? 1 : prune.firstKept(); // objects of earlier bases are deleted, perhaps only now
    long base = newest.head().kind() == Entry.Kind.BASE ? newest.head().index() : newest.head().base();
    for (int left = BASES_TO_LEARN; left > 0 && base >= firstKept; left--) {
      Entry entry = chain.entry(base);
      if (entry == null) {
        return; // pruned
      }
      for (BaseFiles.Stored file : BaseFiles.read(entry).files()) {
        objects.put(HexFormat.of().formatHex(file.hash()), file.object());
      }
      base = entry.head().base();
    }
  }

  private Entry newest() throws IOException {
    long end = chain.end(0);
    if (end == 0) {
      return null;
    }
    Entry newest = chain.require(end);
    Entry.Head line = chain.head(newest.head().line());
    boolean isOwn = newest.head().writer().equals(descent.writer()) || line != null && descent.continues(line);
    if (!isOwn && !options.takeOver()) {
      throw new Fenced(
          "the archive was continued by another process since this database was restored or archived: restore the archive"
              + " to a new folder, or start the archiver with takingOver() if no other process will write it again");
    }
    return newest;
  }

  private void passOver(Entry other) throws IOException {
    if (other.head().kind() != Entry.Kind.PRUNE) {
      throw new Fenced(
          Chain.name(other.head().index()) + " is by another process, which writes the archive by now; this one has stopped,"
              + " and its later writes are not archived");
    }
    Prune prune = Prune.read(other);
    condemned.addAll(prune.condemned());
    objects.values().removeAll(prune.condemned());
  }

  /** Runs a step; failures of the database and of its files are tried again. */
  private void attemptStep() throws IOException, InterruptedException {
    try {
      step();
    } catch (RocksDbException e) {
      fail(e);
    } catch (IllegalStateException e) {
      if (isDatabaseClosed()) {
        throw e;
      }
      fail(e);
    } catch (Damage | Fenced | InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      fail(e);
    }
  }

  private void fail(Exception e) {
    problem = textOf(e);
    phase = Phase.FAILING;
  }

  private void step() throws IOException, InterruptedException {
    if (retention == null) {
      retention = db.pauseDeletions();
    }
    if (tail == null && !startLine()) {
      return;
    }
    long began = System.nanoTime();
    if (follow()) {
      completeBase();
      refreshBase();
      if (hasBase) {
        caughtUp = began;
        restorable = writer.sequence();
        problem = "";
      }
      phase = hasBase ? Phase.FOLLOWING : Phase.BASE;
    }
  }

  /** Reads new writes and stores them; returns false if the line has ended. */
  private boolean follow() throws IOException, InterruptedException {
    markNewest();
    while (true) {
      long latest = db.latestSequenceNumber();
      db.flushWal();
      Segment segment = tail.read(SEGMENT);
      boolean isAll = tail.isAtEnd(); // the segment lacks what the tables have
      if (segment.size() > LARGEST_SEGMENT) {
        endLine("a batch of about " + segment.size() + " bytes needs too much memory, so a base archives it");
        return false;
      }
      String gap = tail.gap();
      if (gap == null && isAll) {
        gap = missing(latest);
      }
      String change = manifest.change(); // after the WAL was read, so that the batches precede later changes
      boolean isNew = !segment.pieces().isEmpty() || tail.sequence() > writer.sequence(); // a hold may flush new writes
      if (change == null && isNew) {
        append(segment, !isAll);
      }
      if (change != null || gap != null) {
        endLine(change != null ? change : gap);
        return false;
      }
      if (isAll) {
        unread = 0;
        renew();
        return true;
      }
      betweenSegments();
    }
  }

  private void markNewest() {
    markedAt = System.nanoTime();
    markedSequence = db.latestSequenceNumber();
  }

  /** Completes a base, and limits the retained WAL files, while the database writes faster than the archive. */
  private void betweenSegments() throws IOException, InterruptedException {
    completeBase();
    if (hasBase) {
      restorable = writer.sequence();
      if (restorable >= markedSequence) {
        caughtUp = markedAt;
        markNewest();
      }
      signal();
    }
    unread = unread();
    if (unread > options.retainBytes().bytes()) {
      release(); // files may be deleted before they are read; then a new base follows
    }
  }

  /** Returns why writes up to a number are missing from the WAL, which was read completely; null if none are. */
  private String missing(long latest) {
    tail.passOver(latest);
    if (tail.hasPassedMissing()) {
      return "writes before number " + tail.sequence() + " skipped the WAL";
    }
    return tail.sequence() < latest
        ? "the WAL has writes up to number " + tail.sequence() + " of " + latest + ": others skipped it"
        : null;
  }

  private void append(Segment segment, boolean isBehind) throws IOException {
    long began = System.nanoTime();
    int level = compression.level(isBehind);
    byte[] body = Entry.compressed(level, segment::write);
    long compressed = System.nanoTime();
    compression.compressed(level, segment.size(), body.length, compressed - began);
    beingStored = segment.size();
    Entry entry = writer.append(Entry.Kind.SEGMENT, tail.sequence(), () -> body);
    compression.sent(body.length, System.nanoTime() - compressed);
    nextIndex = writer.nextIndex();
    for (Segment.Piece piece : segment.pieces()) {
      firstEntries.putIfAbsent(piece.log(), entry.head().index());
    }
    beingStored = 0;
    segments++;
    walBytes += segment.size();
  }

  /** Lets the database delete files, in particular WAL files that were read. */
  private void renew() {
    if (System.nanoTime() - renewed > RENEWAL_NANOS || tail.hasMoved()) {
      release();
      retention = db.pauseDeletions();
      renewed = System.nanoTime();
    }
  }

  private void endLine(String why) throws InterruptedException {
    if (upload != null && upload.sequence() > writer.sequence()) {
      stopUpload(); // the line ends before the base
    }
    release(); // of the files that only this line needed; otherwise a program that ends each line would fill the disk
    reason = why;
    tail = null;
    manifest = null;
    hasBase = false;
    phase = Phase.BASE;
    problem = "a new base is needed: " + why;
  }

  /** Starts a line with a hold; returns false if it is too early for that. */
  private boolean startLine() throws IOException, InterruptedException {
    if (upload != null) {
      completeBase(); // the base of the line before
      if (upload != null) {
        return false;
      }
    }
    if (!isClosing && System.nanoTime() - lastHold < nanos(options.leastBetweenBases())) {
      return false;
    }
    logFolder = logFolder == null ? logFolder() : logFolder;
    long current = LogTail.current(logFolder);
    lineBegan = System.nanoTime();
    long covered = db.latestSequenceNumber();
    Hold hold = db.hold(true);
    try {
      boolean isWhole = hold.sequence() >= 0;
      long latest = latest(hold);
      open(hold, current, covered);
      if (isWhole) {
        tail.mayMissInTables(latest);
      } else {
        tail.mayMiss(latest);
      }
      lineCovered = isWhole ? latest : covered;
      byte[] body = Entry.compressed(out -> {
        out.writeUTF(tail.isEncrypted() ? "" : reason); // the reason may contain names of families
        out.writeUTF(db.identity());
      });
      writer.append(Entry.Kind.LINE, covered, () -> body);
      nextIndex = writer.nextIndex();
      firstEntries.clear();
      startUpload(hold, latest);
      return true;
    } catch (Throwable e) {
      if (upload == null) {
        hold.close();
      }
      tail = null;
      throw e;
    }
  }

  private long latest(Hold hold) {
    return hold.sequence() >= 0 ? hold.sequence() : db.latestSequenceNumber();
  }

  private static ArchivedDatabase.File of(Hold hold, Predicate<ArchivedDatabase.File> kind) {
    Comparator<String> byNumber = Comparator.comparingInt(String::length).thenComparing(name -> name);
    return hold.files().stream()
        .filter(kind)
        .min(Comparator.comparing(ArchivedDatabase.File::name, byNumber))
        .orElseThrow(() -> new IllegalStateException(
            "the database has no MANIFEST or no WAL file to archive: were files deleted while it is open? Open it "
                + "again"));
  }

  private void open(Hold hold, long current, long covered) throws IOException {
    ArchivedDatabase.File list = of(hold, ArchivedDatabase.File::isManifest);
    boolean isEncrypted = DatabaseFile.keyOf(list.path()) != null;
    tail = new LogTail(logFolder, Math.min(current, firstLog(hold)), firstLog(hold), covered, isEncrypted);
    manifest = new ManifestTail(list.path(), list.size() - (isEncrypted ? DatabaseFile.PREFIX : 0));
  }

  private Path logFolder() {
    try (Hold hold = db.hold(false)) {
      return of(hold, ArchivedDatabase.File::isLog).path().getParent();
    }
  }

  private static long firstLog(Hold hold) {
    String name = of(hold, ArchivedDatabase.File::isLog).name();
    return Long.parseLong(name.substring(name.lastIndexOf('/') + 1, name.lastIndexOf('.')));
  }

  private void startUpload(Hold hold, long latest) {
    lastHold = System.nanoTime();
    lastHoldSequence = latest;
    condemned.clear();
    upload = uploadOf(hold, lastHoldSequence);
  }

  private Upload uploadOf(Hold hold, long sequence) {
    return new Upload(
        hold, sequence, firstLog(hold), store, uploading, throttle, objects, hashes, () -> nextIndex);
  }

  private void stopUpload() throws InterruptedException {
    if (upload != null) {
      try {
        upload.stop();
      } finally {
        upload.hold().close(); // an upload that still runs fails when its next file is deleted
        upload = null;
      }
    }
  }

  /** Stores the entry of a base whose files are stored. */
  private void completeBase() throws IOException, InterruptedException {
    if (upload == null) {
      return;
    }
    if (upload.failure() != null) {
      Throwable failure = upload.failure();
      stopUpload();
      if (!hasBase) {
        endLine(String.valueOf(failure.getMessage()));
      }
      throw failure instanceof IOException io ? io : new IOException(failure);
    }
    List<BaseFiles.Stored> stored = upload.stored();
    if (stored == null || writer.sequence() < upload.sequence()) {
      return;
    }
    Map.Entry<Long, Long> first = firstEntries.ceilingEntry(upload.firstLog());
    BaseFiles base =
        new BaseFiles(
            db.identity(),
            upload.sequence(),
            upload.firstLog(),
            first == null ? writer.nextIndex() : first.getValue(),
            stored);
    byte[] body = Entry.compressed(base::write);
    Writer.Body unlessCondemned =
        () -> stored.stream().anyMatch(file -> condemned.contains(file.object())) ? null : body;
    Entry entry = writer.append(Entry.Kind.BASE, -1, unlessCondemned);
    nextIndex = writer.nextIndex();
    if (entry == null) {
      condemned.clear();
      upload = uploadOf(upload.hold(), upload.sequence()); // stores the condemned objects under new names
      return;
    }
    upload.hold().close();
    upload = null;
    firstEntries.headMap(base.firstLog()).clear();
    hasBase = tail != null;
    bases++;
    if (tail == null) { // the line has ended: it has the writes before its base
      restorable = Math.max(restorable, lineCovered);
      caughtUp = lineBegan - caughtUp > 0 ? lineBegan : caughtUp;
    }
  }

  private void refreshBase() {
    boolean isDue = System.nanoTime() - lastHold > nanos(options.baseEvery());
    if (upload == null && isDue && db.latestSequenceNumber() > lastHoldSequence) {
      Hold hold = db.hold(true);
      startUpload(hold, latest(hold));
    }
  }

  /**
   * Returns the state of the archiver.
   *
   * @return the state now
   */
  public Status status() {
    return new Status(
        phase,
        Duration.ofNanos(System.nanoTime() - caughtUp),
        restorable,
        writesBehind(),
        unread,
        segments,
        bases,
        walBytes,
        store.objects(),
        store.bytes(),
        store.failures(),
        problem);
  }

  /**
   * Waits until all writes that the database had before this call can be restored, and archives them now rather than
   * when the next segment is due.
   *
   * @param timeout the longest wait, for example for a store that fails, or for a new base
   * @return false if the time is over, or the archiver was closed or has stopped before; {@link #status} says why
   * @throws InterruptedException if the thread is interrupted
   * @throws IllegalStateException if the database is closed
   */
  public boolean awaitArchived(Duration timeout) throws InterruptedException {
    long end = System.nanoTime() + nanos(requireNonNull(timeout, "timeout"));
    long latest = db.latestSequenceNumber();
    lock.lock();
    try {
      isAwaited = true;
      changed.signalAll();
      while (!canRestore(latest)) {
        long left = end - System.nanoTime();
        if (left <= 0 || hasEnded) {
          return canRestore(latest);
        }
        changed.awaitNanos(left);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  private boolean canRestore(long sequence) {
    return bases > 0 && restorable >= sequence;
  }

  private long writesBehind() {
    try {
      return Math.max(0, db.latestSequenceNumber() - restorable);
    } catch (IllegalStateException closed) {
      return 0;
    }
  }

  /** Returns a value for metrics by its name in their list. */
  private double measurement(String name) {
    Status now = status();
    return switch (name) {
      case "lag" -> now.lag.toNanos() / 1e9;
      case "unhealthy" -> now.isHealthy() ? 0 : 1;
      case "writesBehind" -> now.writesBehind;
      case "bytesBehind" -> now.bytesBehind;
      case "objects" -> now.objects;
      case "bytes" -> now.bytes;
      case "failures" -> now.failures;
      default -> Double.NaN;
    };
  }

  /**
   * Archives the last writes, and stops. Waits as long as the options say for a failing store, and for a base if the
   * last writes cannot be restored without it, such as the first one; then an incomplete base is abandoned, and {@link
   * #status} says so. Idempotent.
   */
  @Override
  public void close() {
    lock.lock();
    try {
      if (!closing) {
        closing = true;
        closeUntil = System.nanoTime() + nanos(options.closeWithin());
        isClosing = true;
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        long left = closeUntil + TimeUnit.SECONDS.toNanos(1) - System.nanoTime();
        if (left <= 0) {
          thread.interrupt(); // the request has no time limit
          db.resumeWork();
        }
        thread.join(Math.max(100, TimeUnit.NANOSECONDS.toMillis(left)));
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    OpenDatabases.setArchiver(db.path(), null);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public String toString() {
    return "archiver of " + db.path() + ": " + phase;
  }
}
