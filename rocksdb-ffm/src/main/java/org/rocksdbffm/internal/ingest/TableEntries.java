/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.ingest;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.call.Uninterrupted;
import org.rocksdbffm.internal.folder.FolderPath;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.foreign.StackRoom;
import org.rocksdbffm.internal.foreign.TableCalls;
import org.rocksdbffm.internal.format.Fields;
import org.rocksdbffm.internal.format.TableProperties;
import org.rocksdbffm.internal.settings.NativeOptions;

/** Reads the entries and properties of a table file, with the keys of the running operation. */
public final class TableEntries {
  private static final int SLICE = 2 * Long.BYTES;
  private static final int KIND_BITS = 8;
  private static final int KIND = 0xff;

  private final FolderPath file;
  private final Receiver receiver;

  /** Receives entries; {@code kind} is the engine's number of a value type. */
  public interface Receiver {
    void take(int kind, long sequence, byte[] key, byte[] value);
  }

  private TableEntries(FolderPath file, Receiver receiver) {
    this.file = file;
    this.receiver = receiver;
  }

  /** Passes on all range deletions of a file, and then all other entries in its order. */
  public static void forEach(FolderPath file, Receiver receiver) {
    StackRoom.require();
    TableEntries entries = new TableEntries(file, receiver);
    read(file.path(), () -> {
      TableProperties.rangeDeletionsOf(file.path(), entries::pass);
      return null;
    });
    try (NativeOptions options = NativeOptions.defaults();
        Arena arena = Arena.ofConfined()) {
      entries.passAll(options, arena);
    }
  }

  /** Returns all properties of a file: texts and encoded numbers. */
  public static Map<String, byte[]> properties(Path file) {
    return read(file, () -> TableProperties.allOf(file));
  }

  private static <T> T read(Path file, Uninterrupted.Work<T> work) {
    String tried = "reading the table file " + file;
    try {
      return Uninterrupted.run(work);
    } catch (Fields.Unreadable | EOFException e) {
      throw Status.parse("Corruption: it is no table file, or is damaged: " + e.getMessage(), tried);
    } catch (IOException e) {
      throw Status.of(e, tried);
    }
  }

  private void passAll(NativeOptions options, Arena arena) {
    MemorySegment error = arena.allocate(ValueLayout.JAVA_LONG);
    MemorySegment entry = arena.allocate(2 * SLICE, Long.BYTES);
    Memory.point(entry, 0, Memory.string(file.bytes(), arena));
    entry.set(ValueLayout.JAVA_LONG, Long.BYTES, file.bytes().length);
    String tried = "reading the table file " + file;
    long table = TableCalls.open(options.pointer().address(), entry.address(), error.address());
    Status.check(error, tried);
    try {
      while (TableCalls.next(table, entry.address(), error.address())) {
        pass(slice(entry, 0), slice(entry, SLICE));
      }
      Status.check(error, tried);
    } finally {
      TableCalls.close(table);
    }
  }

  private static byte[] slice(MemorySegment entry, long at) {
    return Memory.toArray(Memory.pointer(entry, at), entry.get(ValueLayout.JAVA_LONG, at + Long.BYTES));
  }

  /** Passes on an entry with an internal key: its last 8 bytes are the sequence number and the kind. */
  private void pass(byte[] key, byte[] value) {
    int size = key.length - Long.BYTES;
    if (size < 0) {
      throw Status.parse("Corruption: a key without a sequence number", "reading the table file " + file);
    }
    long tag = ByteBuffer.wrap(key).order(ByteOrder.LITTLE_ENDIAN).getLong(size);
    receiver.take((int) (tag & KIND), tag >>> KIND_BITS, Arrays.copyOf(key, size), value);
  }
}
