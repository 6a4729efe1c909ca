/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.ingest;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.call.CallTable;
import org.rocksdbffm.internal.call.ExclusiveUse;
import org.rocksdbffm.internal.call.Handle;
import org.rocksdbffm.internal.call.Reentrance;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.call.Uninterrupted;
import org.rocksdbffm.internal.callback.CallbackOwner;
import org.rocksdbffm.internal.exit.ProcessEnd;
import org.rocksdbffm.internal.folder.DatabaseFolders;
import org.rocksdbffm.internal.folder.FolderPath;
import org.rocksdbffm.internal.foreign.HotCalls;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.foreign.StackRoom;
import org.rocksdbffm.internal.leak.LiveObjects;
import org.rocksdbffm.internal.settings.NativeOptions;
import org.rocksdbffm.internal.settings.WriteRules;

/**
 * A table file that is being written, of no database yet: <em>owns</em> the engine's writer and its options. The engine
 * would replace a file that is there, and leave one that was not finished; this does neither. One thread at a time writes,
 * any thread closes.
 */
public final class NativeTable implements CallbackOwner {
  private static final long WEIGHT = 1 << 16;
  private static final long MAX_ROW_SIZE = (1L << 32) - (1 << 16);
  private static final String OUT_OF_ORDER = "Invalid argument: Keys must be added in strict ascending order";

  private final FolderPath path;
  private final Handle handle;
  private final ExclusiveUse turn;
  private final NativeOptions options;
  private final TableBounds bounds;

  // Used within a turn and a call, or when there are none any more; null when the file is finished or given up.
  private MemorySegment writer;
  private long entries;
  private long rangeDeletions;

  /** A file as it was finished. */
  public record Finished(Path path, long size, long entries, long rangeDeletions, ByteBuffer smallest, ByteBuffer largest) {}

  private interface Entry {
    void write(MemorySegment writer, Call call, long size);
  }

  private NativeTable(FolderPath path, NativeOptions options, MemorySegment writer) {
    this.path = path;
    this.handle = new Handle("table file " + path);
    this.turn = new ExclusiveUse(handle.name());
    this.options = options;
    this.bounds = new TableBounds(options.rules());
    this.writer = writer;
    LiveObjects.TABLE_FILES.made();
  }

  /** Begins a file that is not there; the options are <em>transferred</em>, whether this fails or not. */
  public static NativeTable create(FolderPath path, NativeOptions options) {
    try {
      StackRoom.require();
      linkAll();
      String tried = "creating the table file " + path;
      createEmpty(path.path(), tried);
      try {
        NativeTable table = new NativeTable(path, options, open(path, options, tried));
        options.serve(table);
        return table;
      } catch (Throwable e) {
        Files.deleteIfExists(path.path());
        throw e;
      }
    } catch (IOException e) {
      options.close();
      throw Status.of(e, "creating the table file " + path);
    } catch (Throwable e) {
      options.close();
      throw e;
    }
  }

  /** Has the JDK prepare what a write calls: a class that cannot be initialized for want of stack stays unusable. */
  private static void linkAll() {
    HotCalls.linkAll();
    MemorySegment.ofArray(new byte[1]).mismatch(MemorySegment.ofBuffer(ByteBuffer.allocate(1)));
  }

  /** Takes the name of the file, which the engine then opens. */
  private static void createEmpty(Path file, String tried) throws IOException {
    Path folder = file.getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      throw Status.parse(
          "IO error: " + folder + " is no folder", tried + ": create the folder above it first (Files.createDirectories)");
    }
    DatabaseFolders.requireNone(folder, tried, "name another folder, best on the same disk");
    try {
      Files.createFile(file);
    } catch (FileAlreadyExistsException e) {
      throw Status.parse(
          "Invalid argument: " + file + " is there already",
          tried + ": nothing is ever replaced, for a database may have linked that file; name a new one, or delete it first");
    }
  }

  private static MemorySegment open(FolderPath path, NativeOptions options, String tried) {
    MemorySegment writer;
    MemorySegment environment = RocksDbC.rocksdb_envoptions_create();
    try {
      writer = RocksDbC.rocksdb_sstfilewriter_create(environment, options.pointer());
    } finally {
      RocksDbC.rocksdb_envoptions_destroy(environment);
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment error = arena.allocate(ValueLayout.JAVA_LONG);
      RocksDbC.rocksdb_sstfilewriter_open(writer, Memory.string(path.bytes(), arena), error);
      Status.check(error, tried);
      return writer;
    } catch (Throwable e) {
      RocksDbC.rocksdb_sstfilewriter_destroy(writer);
      throw e;
    }
  }

  public void put(MemorySegment key, MemorySegment value) {
    write(key, value, "value", (to, call, size) -> {
      RocksDbC.rocksdb_sstfilewriter_put(to, call.key(), call.keySize(), call.value(), size, call.error);
      added(call);
    });
  }

  /** Those of the family that the file is for. */
  public WriteRules rules() {
    return bounds.rules;
  }

  public void merge(MemorySegment key, MemorySegment operand) {
    write(key, operand, "operand", (to, call, size) -> {
      bounds.rules.requireMergeable(handle);
      RocksDbC.rocksdb_sstfilewriter_merge(to, call.key(), call.keySize(), call.value(), size, call.error);
      added(call);
    });
  }

  public void delete(MemorySegment key) {
    write(key, MemorySegment.NULL, "", (to, call, size) -> {
      RocksDbC.rocksdb_sstfilewriter_delete(to, call.key(), call.keySize(), call.error);
      added(call);
    });
  }

  public void deleteRange(MemorySegment from, MemorySegment until) {
    write(from, until, "until", (to, call, size) -> {
      if (!bounds.isAscending(call, size)) {
        return; // an empty range, of which the engine writes nothing either
      }
      RocksDbC.rocksdb_sstfilewriter_delete_range(to, call.key(), call.keySize(), call.value(), size, call.error);
      check(call);
      bounds.deleted(call, size);
      rangeDeletions++;
    });
  }

  private void write(MemorySegment key, MemorySegment value, String valueName, Entry entry) {
    StackRoom.require(); // what is begun here is ended
    turn.begin();
    try {
      try (Call call = Call.enter(handle)) {
        call.copyKey(key);
        long size = value.byteSize();
        if (size > MAX_ROW_SIZE - call.keySize()) {
          throw new IllegalArgumentException(
              valueName + ": " + size + " bytes, but with its key it has at most " + MAX_ROW_SIZE);
        }
        call.copyValue(value);
        entry.write(writer, call, size);
      }
    } finally {
      turn.end();
    }
  }

  private void added(Call call) {
    check(call);
    bounds.added(call);
    entries++;
  }

  /** A key out of order leaves the file as it was; after any other failure nothing can be added to it. */
  private void check(Call call) {
    String failure = call.hasFailed() ? Status.takeText(call.error) : null;
    handle.requireSound(); // a comparator that failed answers as if keys were out of order
    if (failure == null) {
      return;
    }
    if (failure.startsWith(OUT_OF_ORDER)) {
      throw bounds.outOfOrder(call, handle.name());
    }
    RuntimeException failed = Status.parse(failure, handle.name() + ": close it, which deletes it, and write it anew");
    handle.stop("could not be written: close it, and write it anew", failed);
    throw failed;
  }

  /** Completes the file; nothing can be added afterwards. */
  public Finished finish() {
    return within(call -> {
      if (entries == 0 && rangeDeletions == 0) {
        throw new IllegalStateException(
            handle.name() + " has no entries, and the engine ingests no empty file: add some, or close it");
      }
      bounds.requireInOrder();
      RocksDbC.rocksdb_sstfilewriter_finish(writer, call.error);
      check(call);
      Finished finished = finished(call);
      sync();
      release();
      turn.endForGood("is finished: nothing can be added to it any more");
      return finished;
    });
  }

  private Finished finished(Call call) {
    RocksDbC.rocksdb_sstfilewriter_file_size(writer, call.sizeCell);
    return new Finished(
        path.path(), call.sizeInCell(), entries, rangeDeletions, ByteBuffer.wrap(bounds.smallest()), ByteBuffer.wrap(bounds.largest()));
  }

  /** Waits until the disk has the file's name, as it has its bytes. */
  private void sync() {
    try {
      Uninterrupted.sync(path.path().getParent());
    } catch (IOException e) {
      RuntimeException failed = Status.of(e, handle.name());
      handle.stop("could not be written: close it, and write it anew", failed);
      throw failed;
    }
  }

  /** How many bytes were written so far. */
  public long size() {
    return within(call -> {
      RocksDbC.rocksdb_sstfilewriter_file_size(writer, call.sizeCell);
      return call.sizeInCell();
    });
  }

  private <T> T within(Function<Call, T> work) {
    StackRoom.require(); // what is begun here is ended
    return turn.call(() -> {
      try (Call call = Call.enter(handle)) {
        return work.apply(call);
      }
    });
  }

  @Override
  public Handle handle() {
    return handle;
  }

  @Override
  public long weight() {
    return WEIGHT;
  }

  @Override
  public void stop(String reason, Throwable cause) {
    if (!handle.wasStopped()) {
      handle.stop(reason, cause);
    }
  }

  /** Nothing is kept of a file whose order is lost. */
  @Override
  public boolean awaitStopOfEngine(long nanos) {
    return true;
  }

  @Override
  public void requireSound() {
    handle.requireSound();
  }

  /** Gives the file up unless it is finished, and deletes it. */
  public void close() {
    if (Reentrance.isPossible()) {
      Reentrance.requireOutside(handle);
      ProcessEnd.close(handle.name(), CallTable::threads, this::closeOnce);
    } else {
      closeOnce();
    }
  }

  private void closeOnce() {
    handle.close();
    if (!release()) {
      return;
    }
    try {
      Files.deleteIfExists(path.path());
    } catch (IOException e) {
      throw Status.parse("IO error: " + e, "deleting the unfinished table file " + path);
    }
  }

  /** False if there is nothing left to be released. */
  private synchronized boolean release() {
    if (writer == null) {
      return false;
    }
    RocksDbC.rocksdb_sstfilewriter_destroy(writer);
    writer = null;
    options.close();
    LiveObjects.TABLE_FILES.gone();
    return true;
  }
}
