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
import org.rocksdbffm.internal.call.ExclusiveUse;
import org.rocksdbffm.internal.call.Handle;
import org.rocksdbffm.internal.call.Reentrance;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.call.Uninterrupted;
import org.rocksdbffm.internal.callback.CallbackOwner;
import org.rocksdbffm.internal.folder.DatabaseFolders;
import org.rocksdbffm.internal.folder.FolderPath;
import org.rocksdbffm.internal.foreign.HotCalls;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.foreign.StackRoom;
import org.rocksdbffm.internal.leak.LiveObjects;
import org.rocksdbffm.internal.settings.NativeOptions;
import org.rocksdbffm.internal.settings.WriteRules;

/**
 * A table file that is being written, outside of any database: <em>owns</em> the engine's SST file writer and its
 * options. Unlike the engine, never replaces an existing file, and deletes an unfinished one. One thread at a time
 * writes; any thread closes.
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

  // Used with exclusive access and within a call, or after the last of them; null when the file is finished or deleted.
  private MemorySegment writer;
  private long entries;
  private long rangeDeletions;

  /** A finished file. */
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

  /** Creates a file, which must not exist. Ownership of the options is <em>transferred</em>, even if this fails. */
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

  /** Initializes the classes that writes use: a class whose initialization ran out of stack stays unusable. */
  private static void linkAll() {
    HotCalls.linkAll();
    MemorySegment.ofArray(new byte[1]).mismatch(MemorySegment.ofBuffer(ByteBuffer.allocate(1)));
  }

  /** Creates the file, to claim its name; the engine then opens it. */
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

  /** Returns the rules of the family that the file is for. */
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
      if (!bounds.rules.hasKeys(call.key(), call.keySize(), call.value(), size)) {
        return; // the engine does not write empty ranges
      }
      RocksDbC.rocksdb_sstfilewriter_delete_range(to, call.key(), call.keySize(), call.value(), size, call.error);
      check(call);
      bounds.deleted(call, size);
      rangeDeletions++;
    });
  }

  private void write(MemorySegment key, MemorySegment value, String valueName, Entry entry) {
    StackRoom.require(); // end() must not fail after begin()
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

  /** Throws after a failed write. The file can still be used after a key out of order, but not after other failures. */
  private void check(Call call) {
    String failure = call.hasFailed() ? Status.takeText(call.error) : null;
    handle.requireSound(); // a failed comparator looks like keys out of order
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

  /** Finishes the file; nothing can be added afterwards. */
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

  /** Syncs the folder, so that the file's name is durable. */
  private void sync() {
    try {
      Uninterrupted.sync(path.path().getParent());
    } catch (IOException e) {
      RuntimeException failed = Status.of(e, handle.name());
      handle.stop("could not be written: close it, and write it anew", failed);
      throw failed;
    }
  }

  /** Returns the number of bytes written so far. */
  public long size() {
    return within(call -> {
      RocksDbC.rocksdb_sstfilewriter_file_size(writer, call.sizeCell);
      return call.sizeInCell();
    });
  }

  private <T> T within(Function<Call, T> work) {
    StackRoom.require(); // end() must not fail after begin()
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

  /** A file with a lost order is discarded in any case. */
  @Override
  public boolean awaitStopOfEngine(long nanos) {
    return true;
  }

  @Override
  public void requireSound() {
    handle.requireSound();
  }

  /** Closes the writer; deletes the file unless it is finished. */
  public void close() {
    Reentrance.close(handle, this::closeOnce);
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

  /** Releases writer and options; returns false if they were released before. */
  private synchronized boolean release() {
    if (writer == null) {
      return false;
    }
    RocksDbC.rocksdb_sstfilewriter_destroy(writer);
    writer = null;
    options.close();
    LiveObjects.TABLE_FILES.freed();
    return true;
  }
}
