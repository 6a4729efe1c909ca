/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.callback;

import java.io.File;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.util.Deque;
import java.util.function.Consumer;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.foreign.Upcalls;

/**
 * Reports the engine's events to a Java listener. The engine reports events on its background threads during their
 * work, so such a report only copies the event to a queue.
 *
 * <p>Shared by the options that it is set in and the database that is opened with them, and destroyed with the last of
 * them.
 */
@SuppressWarnings("unused") // the engine calls some of its methods
public final class EventSource extends Callback {
  /** When the engine's thread started its flush, whose duration the engine does not report. */
  private static final ThreadLocal<Long> FLUSH_SINCE = ThreadLocal.withInitial(System::nanoTime);

  private static final MemorySegment FLUSH_STARTED = Upcalls.to(MethodHandles.lookup(), "flushStarted");
  private static final MemorySegment FLUSH_ENDED = Upcalls.to(MethodHandles.lookup(), "flushEnded");
  private static final MemorySegment COMPACTION_STARTED = Upcalls.to(MethodHandles.lookup(), "compactionStarted");
  private static final MemorySegment COMPACTION_ENDED = Upcalls.to(MethodHandles.lookup(), "compactionEnded");
  private static final MemorySegment PART = Upcalls.to(MethodHandles.lookup(), "part");
  private static final MemorySegment INGESTED = Upcalls.to(MethodHandles.lookup(), "ingested");
  private static final MemorySegment SEALED = Upcalls.to(MethodHandles.lookup(), "sealed");
  private static final MemorySegment FAILED = Upcalls.to(MethodHandles.lookup(), "failed");
  private static final MemorySegment STALL_CHANGED = Upcalls.to(MethodHandles.lookup(), "stallChanged");
  private static final MemorySegment ENDED = Upcalls.to(MethodHandles.lookup(), "ended");

  private static final int MOST = 1024;
  private static final int SEVERITY = 2;

  private final Deliveries<RawEvent> events;

  private EventSource(Consumer<RawEvent> listener) {
    super("listener", "of events");
    events =
        new Deliveries<>(
            "events of a database", listener, thrown -> report(thrown, "it gets the next event all the same"));
  }

  /** Makes a database that is opened with the options report to a listener. */
  public static EventSource setIn(MemorySegment options, Consumer<RawEvent> listener) {
    EventSource source = new EventSource(listener);
    RocksDbC.rocksdb_options_add_eventlistener(
        options,
        RocksDbC.rocksdb_eventlistener_create(
            source.state(),
            ENDED,
            FLUSH_STARTED,
            FLUSH_ENDED,
            COMPACTION_STARTED,
            COMPACTION_ENDED,
            PART,
            PART,
            INGESTED,
            FAILED,
            STALL_CHANGED,
            SEALED));
    return source;
  }

  /** Creates an event from the engine's memory, with an arena for arguments. */
  private interface Reading {
    RawEvent read(Arena arena, EventSource source);
  }

  /** Queues an event; an event that cannot be created is lost. */
  private static void add(long id, Reading reading) {
    try (Arena arena = Arena.ofConfined()) {
      EventSource source = (EventSource) at(id);
      RawEvent event = reading.read(arena, source);
      source.events.change(waiting -> add(waiting, event));
    }
  }

  /** Notifies the listener of an event that the library has caused. */
  public void publish(RawEvent event) {
    events.change(waiting -> add(waiting, event));
  }

  /** If the queue is full, drops the event and counts it. */
  private static void add(Deque<RawEvent> waiting, RawEvent event) {
    if (waiting.size() < MOST) {
      waiting.add(event);
      return;
    }
    long before = waiting.getLast() instanceof RawEvent.Dropped ? ((RawEvent.Dropped) waiting.removeLast()).count() : 0;
    waiting.add(new RawEvent.Dropped(before + 1));
  }

  private interface Text {
    MemorySegment of(MemorySegment info, MemorySegment size);
  }

  private static String text(Arena arena, long info, Text text) {
    return Memory.string(text.of(at1(info), arena.allocate(ValueLayout.JAVA_LONG)).address());
  }

  private static MemorySegment at1(long address) {
    return Memory.at(address, 1);
  }

  private RocksDbException taken(MemorySegment errorCell) {
    return Memory.pointer(errorCell, 0) == 0 ? null : Status.take(errorCell, where());
  }

  private String where() {
    CallbackOwner database = owner();
    return database == null ? "a database that is being opened" : database.name();
  }

  private static void flushStarted(long id, long db, long info) {
    FLUSH_SINCE.set(System.nanoTime());
    add(id, (arena, source) -> new RawEvent.FlushStarted(text(arena, info, RocksDbC::rocksdb_flushjobinfo_cf_name)));
  }

  private static void flushEnded(long id, long db, long info) {
    add(id, (arena, source) ->
        new RawEvent.FlushEnded(
            text(arena, info, RocksDbC::rocksdb_flushjobinfo_cf_name),
            text(arena, info, RocksDbC::rocksdb_flushjobinfo_file_path),
            new File(text(arena, info, RocksDbC::rocksdb_flushjobinfo_file_path)).length(),
            System.nanoTime() - FLUSH_SINCE.get(),
            RocksDbC.rocksdb_flushjobinfo_triggered_writes_slowdown(at1(info)) != 0,
            RocksDbC.rocksdb_flushjobinfo_triggered_writes_stop(at1(info)) != 0));
  }

  private static void compactionStarted(long id, long db, long info) {
    add(id, (arena, source) ->
        new RawEvent.CompactionStarted(
            text(arena, info, RocksDbC::rocksdb_compactionjobinfo_cf_name),
            RocksDbC.rocksdb_compactionjobinfo_base_input_level(at1(info)),
            RocksDbC.rocksdb_compactionjobinfo_output_level(at1(info)),
            RocksDbC.rocksdb_compactionjobinfo_input_files_count(at1(info))));
  }

  private static void compactionEnded(long id, long db, long info) {
    add(id, (arena, source) -> {
      MemorySegment error = arena.allocate(ValueLayout.JAVA_LONG);
      RocksDbC.rocksdb_compactionjobinfo_status(at1(info), error);
      return new RawEvent.CompactionEnded(
          text(arena, info, RocksDbC::rocksdb_compactionjobinfo_cf_name),
          RocksDbC.rocksdb_compactionjobinfo_base_input_level(at1(info)),
          RocksDbC.rocksdb_compactionjobinfo_output_level(at1(info)),
          RocksDbC.rocksdb_compactionjobinfo_input_files_count(at1(info)),
          RocksDbC.rocksdb_compactionjobinfo_output_files_count(at1(info)),
          new RawEvent.Work(
              RocksDbC.rocksdb_compactionjobinfo_total_input_bytes(at1(info)),
              RocksDbC.rocksdb_compactionjobinfo_total_output_bytes(at1(info)),
              RocksDbC.rocksdb_compactionjobinfo_elapsed_micros(at1(info))),
          source.taken(error));
    });
  }

  private static void part(long id, long info) {}

  private static void ingested(long id, long db, long info) {
    add(id, (arena, source) ->
        new RawEvent.FileIngested(
            text(arena, info, RocksDbC::rocksdb_externalfileingestioninfo_cf_name),
            text(arena, info, RocksDbC::rocksdb_externalfileingestioninfo_external_file_path),
            text(arena, info, RocksDbC::rocksdb_externalfileingestioninfo_internal_file_path),
            RocksDbC.rocksdb_externalfileingestioninfo_global_seqno(at1(info))));
  }

  private static void sealed(long id, long info) {
    add(id, (arena, source) ->
        new RawEvent.MemtableSealed(
            text(arena, info, RocksDbC::rocksdb_memtableinfo_cf_name),
            RocksDbC.rocksdb_memtableinfo_num_entries(at1(info)),
            RocksDbC.rocksdb_memtableinfo_num_deletes(at1(info))));
  }

  private static void failed(long id, int reason, long status) {
    add(id, (arena, source) -> {
      MemorySegment error = arena.allocate(ValueLayout.JAVA_LONG);
      RocksDbC.rocksdb_status_ptr_get_error(at1(status), error);
      String text = Status.takeText(error);
      return new RawEvent.Failed(reason, Status.parse(text, source.where(), severity(status, Status.codeOf(text))));
    });
  }

  /**
   * Reads the severity from the memory of the engine's status, because no C function returns it: the first three bytes
   * are the code, the subcode and the severity. Returns -1 if the status has another code.
   */
  private static int severity(long status, Code code) {
    MemorySegment bytes = Memory.at(Memory.pointer(Memory.at(status, Long.BYTES), 0), SEVERITY + 1);
    boolean isStatus = bytes.get(ValueLayout.JAVA_BYTE, 0) == code.ordinal() + 1;
    return isStatus ? bytes.get(ValueLayout.JAVA_BYTE, SEVERITY) : -1;
  }

  private static void stallChanged(long id, long info) {
    add(id, (arena, source) ->
        new RawEvent.StallChanged(
            text(arena, info, RocksDbC::rocksdb_writestallinfo_cf_name),
            number(RocksDbC.rocksdb_writestallinfo_prev(at1(info))),
            number(RocksDbC.rocksdb_writestallinfo_cur(at1(info)))));
  }

  private static int number(MemorySegment condition) {
    return Memory.at(condition.address(), Integer.BYTES).get(ValueLayout.JAVA_INT, 0);
  }

  private static void ended(long id) {
    EventSource source = (EventSource) at(id);
    source.forget();
    source.events.end();
  }
}
