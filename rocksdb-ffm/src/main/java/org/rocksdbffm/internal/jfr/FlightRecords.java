/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.jfr;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;

/**
 * Emits the library's JDK Flight Recorder events. Does nothing, and loads no event class, before a recording starts
 * or in a JVM without the module {@code jdk.jfr}. Thread-safe.
 *
 * <p>Measures durations itself instead of by the events, so that a fast operation allocates nothing.
 */
public final class FlightRecords {
  private static final String LIBRARY = FlightRecords.class.getPackageName().replace(".internal.jfr", "");
  private static final boolean PRESENT = isPresent();
  private static final long SLOW_NANOS = Long.getLong("org.rocksdbffm.slowMillis", 20) * 1_000_000;
  private static final long LONG_HELD_NANOS = Long.getLong("org.rocksdbffm.longPinMillis", 10_000) * 1_000_000;

  /**
   * How often each event occurred. Counted even without a recording, except the events of calls, which are timed only
   * during a recording.
   */
  public static final Map<String, LongAdder> EVENTS =
      counters(
          "DatabaseClosed", "DatabaseOpened", "DiskFull", "Leak", "LockWait", "PinHeld", "SlowOperation",
          "TransactionConflict", "WritesResumed");

  /** How many leaked objects were found, by kind. */
  public static final Map<String, LongAdder> LEAKS = new ConcurrentHashMap<>();

  private static final int MOST_KINDS = 100;

  private FlightRecords() {}

  private static Map<String, LongAdder> counters(String... events) {
    Map<String, LongAdder> counters = new TreeMap<>();
    for (String event : events) {
      counters.put(event, new LongAdder());
    }
    return Collections.unmodifiableMap(counters);
  }

  private static boolean isPresent() {
    var jfr = ModuleLayer.boot().findModule("jdk.jfr");
    return jfr.isPresent() && FlightRecords.class.getModule().canRead(jfr.get());
  }

  private static boolean isRecording() {
    return PRESENT && FlightRecorder.isInitialized();
  }

  /** The source of the periodic events. */
  public interface State {
    /** Records the stalls of writes. */
    void recordStalls();

    /** Records the counts of native objects. */
    void recordCounts();
  }

  /**
   * Emits the periodic events whenever a recording runs. The Flight Recorder references the state until the returned
   * action is run.
   */
  public static Runnable whileRecording(State state) {
    return PRESENT ? Periodic.register(state) : () -> {};
  }

  /** Returns the start time of an operation; 0 if there is no recording. */
  public static long begin() {
    return isRecording() ? System.nanoTime() | 1 : 0;
  }

  public static void opened(String database, long began) {
    EVENTS.get("DatabaseOpened").increment();
    if (began != 0) {
      DatabaseOpened.emit(database, System.nanoTime() - began);
    }
  }

  public static void closed(String database, long began, long pins) {
    EVENTS.get("DatabaseClosed").increment();
    if (began != 0) {
      DatabaseClosed.emit(database, System.nanoTime() - began, pins);
    }
  }

  /** Whether an operation that started at {@code began} has taken long enough to be recorded. */
  public static boolean isSlow(long began) {
    return System.nanoTime() - began >= SLOW_NANOS;
  }

  /** Records a slow operation; as a wait for a lock if the operation locks keys for a transaction. */
  public static void slow(long began, boolean isLocking, String database, String family) {
    long elapsed = System.nanoTime() - began;
    EVENTS.get(isLocking ? "LockWait" : "SlowOperation").increment();
    if (isLocking) {
      LockWait.emit(operation(), database, family, elapsed);
    } else {
      SlowOperation.emit(operation(), database, family, elapsed);
    }
  }

  /** Returns the public method that the program called, which may call others, from the stack; empty if absent. */
  private static String operation() {
    List<StackWalker.StackFrame> called =
        StackWalker.getInstance()
            .walk(frames -> frames.dropWhile(frame -> isInternal(frame.getClassName())).toList());
    int last = 0;
    while (last + 1 < called.size() && isPublic(called.get(last + 1).getClassName())) {
      last++;
    }
    return called.isEmpty()
        ? ""
        : called.get(last).getClassName().replaceFirst(".*[.]", "") + "." + called.get(last).getMethodName();
  }

  private static boolean isPublic(String type) {
    return type.startsWith(LIBRARY + ".") && type.indexOf('.', LIBRARY.length() + 1) < 0;
  }

  /**
   * Compares with this class's own package, because a jar may relocate the library. JDK frames count as internal,
   * because the JDK calls the library's lambdas.
   */
  private static boolean isInternal(String type) {
    return Stream.of(LIBRARY + ".internal.", LIBRARY + ".compat.", "java.", "jdk.").anyMatch(type::startsWith);
  }

  public static void conflicted(String transaction, String reason) {
    EVENTS.get("TransactionConflict").increment();
    if (isRecording()) {
      TransactionConflict.emit(transaction, reason);
    }
  }

  public static void transacted(String transaction, String end, long began) {
    TransactionEnded.emit(transaction, end, System.nanoTime() - began);
  }

  /** Counts a leaked object, by the kind at the start of its name. */
  public static void leaked(String object, Throwable origin) {
    EVENTS.get("Leak").increment();
    String kind = object.replaceFirst("(?s) (of |over |'|/).*", "");
    boolean isKnown = LEAKS.size() < MOST_KINDS || LEAKS.containsKey(kind);
    LEAKS.computeIfAbsent(isKnown ? kind : "(others)", _ -> new LongAdder()).increment();
    if (isRecording()) {
      Leak.emit(object, origin == null ? null : stackOf(origin));
    }
  }

  private static String stackOf(Throwable origin) {
    StringBuilder text = new StringBuilder();
    for (StackTraceElement frame : origin.getStackTrace()) {
      text.append(frame).append('\n');
    }
    return text.toString();
  }

  public static void unpinned(String pinned, long since) {
    long held = System.nanoTime() - since;
    if (held >= LONG_HELD_NANOS) {
      EVENTS.get("PinHeld").increment();
      if (isRecording()) {
        PinHeld.emit(pinned, held);
      }
    }
  }

  /** Records that writes are refused until they are resumed. */
  public static void diskFull(String database) {
    EVENTS.get("DiskFull").increment();
    if (isRecording()) {
      DiskFull.emit(database);
    }
  }

  public static void resumed(String database, long nanos) {
    EVENTS.get("WritesResumed").increment();
    if (isRecording()) {
      WritesResumed.emit(database, nanos);
    }
  }

  public static void stalled(String database, boolean stopped, long delayedRate) {
    WriteStall.emit(database, stopped, delayedRate);
  }

  public static void alive(String kind, long count, long bytes) {
    LiveObjectCount.emit(kind, count, bytes);
  }

  /** A separate class, because its supertype is missing without {@code jdk.jfr}. */
  private static final class Periodic implements FlightRecorderListener, Runnable {
    private final State state;
    private Runnable stalls; // null before a recording
    private Runnable counts;
    private boolean ended;

    private Periodic(State state) {
      this.state = state;
    }

    static Runnable register(State state) {
      Periodic added = new Periodic(state);
      FlightRecorder.addListener(added);
      return added;
    }

    @Override
    public synchronized void recorderInitialized(FlightRecorder recorder) {
      if (!ended) {
        stalls = state::recordStalls;
        counts = state::recordCounts;
        FlightRecorder.addPeriodicEvent(WriteStall.class, stalls);
        FlightRecorder.addPeriodicEvent(LiveObjectCount.class, counts);
      }
    }

    /** Ends the events. */
    @Override
    public void run() {
      FlightRecorder.removeListener(this); // not in the lock: the recorder calls back with its own lock held
      synchronized (this) {
        ended = true;
        if (stalls != null) {
          FlightRecorder.removePeriodicEvent(stalls);
          FlightRecorder.removePeriodicEvent(counts);
        }
      }
    }
  }
}
