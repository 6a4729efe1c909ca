/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.crash;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.MultiGet;
import org.rocksdbffm.PinLimitException;
import org.rocksdbffm.PinnedValue;
import org.rocksdbffm.PinnedValues;
import org.rocksdbffm.Pins;
import org.rocksdbffm.RocksDb;

/** Cases with memory-mapped files that were truncated, and with too many pinned values; see {@link CrashTest}. */
final class MemoryCrashCases extends CrashCase {
  private static final int SIZE = 8192;

  MemoryCrashCases(Path folder) {
    super(folder);
  }

  /**
   * Uses mappings of truncated files: the JVM must survive, even if a segment does not reveal that it is file-backed.
   */
  void mappedMemoryOfEveryShape() throws IOException {
    Map<String, Function<MappedByteBuffer, MemorySegment>> shapes = new LinkedHashMap<>();
    shapes.put("plain", MemorySegment::ofBuffer);
    shapes.put("slice", mapped -> MemorySegment.ofBuffer(mapped.slice()));
    shapes.put("ints", mapped -> MemorySegment.ofBuffer(mapped.asIntBuffer()));
    shapes.put("longs", mapped -> MemorySegment.ofBuffer(mapped.asLongBuffer().slice()));
    shapes.put("chars", mapped -> MemorySegment.ofBuffer(mapped.duplicate().asCharBuffer()));
    shapes.put("bytes of ints", mapped -> ofBytes(MemorySegment.ofBuffer(mapped.asIntBuffer()).asByteBuffer()));
    try (RocksDb db = RocksDb.open(folder)) {
      db.put(bytes("key"), new byte[SIZE - 10]);
      db.put(bytes("small"), new byte[100]);
      shapes.forEach((name, shape) ->
          shrink(name, shape, segment -> db.put(MemorySegment.ofArray(bytes("other")), segment)));
      shapes.forEach((name, shape) -> shrink(name, shape, segment -> db.put(segment, segment)));
      shapes.forEach((name, shape) ->
          shrink(name, shape, segment -> db.getInto(MemorySegment.ofArray(bytes("key")), segment)));
      shapes.forEach((name, shape) ->
          shrink(name, shape, segment -> db.getInto(MemorySegment.ofArray(bytes("small")), segment)));
      shapes.forEach((name, shape) -> shrink(name, shape, segment -> db.get(segment)));
      shapes.forEach(
          (name, shape) ->
              shrink(name, shape,
                  segment -> db.getInto(MemorySegment.ofArray(bytes("key")), segment, PinnedValue::close)));
      ints(db);
      require(db.pins().count() == 0, db.pins().count() + " pins");
    }
  }

  /** Uses an int buffer over a mapping with an arena: such a segment does not reveal that it is file-backed. */
  private void ints(RocksDb db) throws IOException {
    try (FileChannel file = newFile();
        Arena arena = Arena.ofConfined()) {
      MemorySegment mapped = file.map(FileChannel.MapMode.READ_WRITE, 0, SIZE, arena);
      MemorySegment ints = MemorySegment.ofBuffer(mapped.asByteBuffer().asIntBuffer());
      file.truncate(0);
      requireFault("ints in an arena", ints, segment -> db.put(MemorySegment.ofArray(bytes("other")), segment));
      requireFault("ints in an arena", ints, segment -> db.getInto(MemorySegment.ofArray(bytes("key")), segment));
    }
  }

  private static MemorySegment ofBytes(ByteBuffer buffer) {
    return MemorySegment.ofBuffer(buffer);
  }

  private interface Use {
    void of(MemorySegment segment);
  }

  private void shrink(String name, Function<MappedByteBuffer, MemorySegment> shape, Use use) {
    try (FileChannel file = newFile()) {
      MemorySegment segment = shape.apply(file.map(FileChannel.MapMode.READ_WRITE, 0, SIZE));
      file.truncate(0);
      requireFault(name, segment, use);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void requireFault(String name, MemorySegment segment, Use use) {
    try {
      use.of(segment);
      throw new AssertionError(name + " was written or read");
    } catch (InternalError e) {
      return; // the JVM throws this for truncated mappings
    }
  }

  private FileChannel newFile() throws IOException {
    Path path = Files.createTempFile(folder.getParent(), "mapped", "");
    FileChannel file =
        FileChannel.open(
            path, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
    file.write(ByteBuffer.allocate(SIZE), 0);
    return file;
  }

  /** The engine copies each value in a memtable, so a multi-get must stop when it reaches the limit of pinned bytes. */
  void multiGetStopsAtItsLimit() throws IOException {
    try (RocksDb db = RocksDb.open(folder)) {
      db.put(bytes("key"), new byte[8 << 20]);
      db.pins().limit(Pins.Limits.none().maxBytes(ByteSize.mib(20)));
      MultiGet request = db.multiGet();
      for (int i = 0; i < 100; i++) {
        request.add(bytes("key"));
      }
      long before = peak();
      try (PinnedValues values = request.get()) {
        throw new AssertionError(values.count() + " values");
      } catch (PinLimitException e) {
        require(db.pins().count() == 0 && db.pins().size().bytes() == 0, db.pins().count() + " pins");
      }
      long grown = peak() - before;
      require(grown < 200 << 10, "the process has grown by " + grown + " KiB");
    }
  }

  /** Returns the peak memory of the process in KiB; 0 if the system does not report it. */
  private static long peak() throws IOException {
    Path status = Path.of("/proc/self/status");
    if (!Files.exists(status)) {
      return 0;
    }
    return Files.readAllLines(status).stream()
        .filter(line -> line.startsWith("VmHWM"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .sum();
  }
}
