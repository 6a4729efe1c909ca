/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.write;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.rocksdbffm.internal.call.Calls;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.db.Database;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.settings.WriteRules;

/**
 * Checks a batch against {@link WriteRules} before the engine gets it, and prevents drops of its column families until
 * it is closed. Not thread-safe.
 */
final class BatchCheck implements BatchBytes.Visitor, AutoCloseable {
  private final Database database;
  private final boolean skipsMissing;
  private final List<NativeFamily> checked = new ArrayList<>();
  private final Calls calls = new Calls();

  /** {@code skipsMissing}: the engine ignores records of dropped column families, so they are not checked. */
  BatchCheck(Database database, boolean skipsMissing) {
    this.database = database;
    this.skipsMissing = skipsMissing;
  }

  @Override
  public void visit(Operation operation, int id, MemorySegment first, MemorySegment second) {
    NativeFamily family = family(id);
    if (family == null) {
      return;
    }
    if (operation == Operation.MERGE) {
      family.rules().requireMergeable(family.handle());
    } else if (operation == Operation.SINGLE_DELETE) {
      family.rules().requireSingleDeletes(family.handle());
    } else if (operation == Operation.DELETE_RANGE) {
      requireRange(database, family, first, first.byteSize(), second, second.byteSize());
    }
    if (first != null) {
      family.rules().requirePlace(first, first.byteSize());
    }
  }

  /** Refuses range deletions with transactions, as the engine does, but with a reason; checks the range's keys. */
  static void requireRange(
      Database database, NativeFamily family, MemorySegment from, long fromSize, MemorySegment until, long untilSize) {
    if (database.kind().hasTransactions()) {
      throw Status.parse(
          "Not implemented: the engine deletes no ranges in a database with transactions",
          family.handle().name() + ": scan the range, and delete each key");
    }
    family.rules().requireAscending(from, fromSize, until, untilSize);
    family.rules().requirePlace(until, untilSize);
  }

  private NativeFamily family(int id) {
    for (NativeFamily family : checked) {
      if (family.id() == id) {
        return family;
      }
    }
    NativeFamily family = database.family(id);
    if (family == null || family.writing().isClosed()) {
      if (skipsMissing) {
        return null;
      }
      throw family == null ? missing(id) : family.writing().closedException();
    }
    if (!family.isDefault()) {
      calls.enter(family.writing());
    }
    checked.add(family);
    return family;
  }

  private IllegalStateException missing(int id) {
    return new IllegalStateException(
        "batch: it writes to the column family with number " + id + ", which " + database.handle() + " has no more");
  }

  @Override
  public void close() {
    calls.close();
  }
}
