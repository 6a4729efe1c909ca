/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.opening;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.folder.OpenErrorHints;
import org.rocksdbffm.internal.foreign.EngineTable;
import org.rocksdbffm.internal.foreign.HotCalls;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.foreign.StackRoom;
import org.rocksdbffm.internal.foreign.Structs;
import org.rocksdbffm.internal.settings.LockSetting;
import org.rocksdbffm.internal.settings.NativeOptions;

/**
 * A database that the engine has just opened, without an owner yet.
 *
 * @param families the family handles in the order of the request
 */
record EngineParts(MemorySegment db, List<MemorySegment> families) {
  /** The arguments of the engine's open functions. */
  private record Arguments(
      MemorySegment options,
      MemorySegment path,
      int count,
      MemorySegment names,
      MemorySegment ofFamilies,
      MemorySegment families,
      MemorySegment error) {}

  static EngineParts of(Request request) {
    HotCalls.linkAll();
    StackRoom.requireForReentrance(); // running out of stack later would leak the database and its lock
    if (request.options.encryption() != null && !request.kind.isForReading()) {
      try {
        request.options.encryption().deleteForeignIdentity(request.real.path());
      } catch (IOException e) {
        throw Status.of(e, "opening " + request.path);
      }
    }
    try (Arena arena = Arena.ofConfined()) {
      request.options.startLog("database " + request.path);
      Arguments args = arguments(request, arena);
      MemorySegment db =
          switch (request.kind) {
            case PLAIN -> plain(args, arena);
            case FOR_READING -> forReading(args);
            case LOCKING -> locking(args, request.locks, arena);
            case OPTIMISTIC ->
                RocksDbC.rocksdb_optimistictransactiondb_open_column_families(
                    args.options, args.path, args.count, args.names, args.ofFamilies, args.families, args.error);
          };
      try {
        OpenErrorHints.check(args.error, "opening " + request.path);
      } catch (RocksDbException e) {
        request.requireSound();
        throw e;
      }
      List<MemorySegment> families = new ArrayList<>();
      for (int i = 0; i < args.count; i++) {
        families.add(Memory.pointee(args.families, (long) i * Long.BYTES));
      }
      return new EngineParts(db, families);
    }
  }

  private static Arguments arguments(Request request, Arena arena) {
    int count = request.families.size();
    List<MemorySegment> ofFamilies = new ArrayList<>();
    for (NativeOptions options : request.families.values()) {
      ofFamilies.add(options.pointer());
    }
    return new Arguments(
        request.options.pointer(),
        Memory.string(request.real.bytes(), arena),
        count,
        Memory.strings(request.families.keySet(), arena),
        Memory.pointers(ofFamilies, arena),
        arena.allocate(ValueLayout.JAVA_LONG, count),
        arena.allocate(ValueLayout.JAVA_LONG));
  }

  /** Opens by a stub, which needs no further linking at JVM start. */
  private static MemorySegment plain(Arguments args, Arena arena) {
    MemorySegment opening = arena.allocate(Structs.SIZE_OF_OPENING, Long.BYTES);
    Memory.point(opening, Structs.OPENING_ENGINE, EngineTable.TABLE);
    Memory.point(opening, Structs.OPENING_OPTIONS, args.options);
    Memory.point(opening, Structs.OPENING_PATH, args.path);
    opening.set(ValueLayout.JAVA_LONG, Structs.OPENING_FAMILY_COUNT, args.count);
    Memory.point(opening, Structs.OPENING_NAMES, args.names);
    Memory.point(opening, Structs.OPENING_FAMILY_OPTIONS, args.ofFamilies);
    Memory.point(opening, Structs.OPENING_FAMILIES, args.families);
    HotCalls.open(opening.address());
    Memory.point(args.error, 0, Memory.pointee(opening, Structs.OPENING_ERROR));
    return Memory.pointee(opening, Structs.OPENING_DB);
  }

  /**
   * Opens read-only with all families. RocksDB's function for only the default family may instead open a
   * CompactedDBImpl if all files are in one level: that ignores blob files and range deletions, and ends the process at
   * a merge.
   */
  private static MemorySegment forReading(Arguments args) {
    return RocksDbC.rocksdb_open_for_read_only_column_families(
        args.options, args.path, args.count, args.names, args.ofFamilies, args.families, (byte) 0, args.error);
  }

  /**
   * Opens with pessimistic transactions. RocksDB's C API returns a database pointer that its other functions accept,
   * and whose writes take locks.
   */
  private static MemorySegment locking(Arguments args, Map<LockSetting, Long> settings, Arena arena) {
    MemorySegment locks =
        Memory.until(
            arena, RocksDbC::rocksdb_transactiondb_options_destroy, RocksDbC.rocksdb_transactiondb_options_create());
    settings.forEach((setting, value) -> setting.apply(locks, value));
    return RocksDbC.rocksdb_transactiondb_open_column_families(
        args.options, locks, args.path, args.count, args.names, args.ofFamilies, args.families, args.error);
  }
}
