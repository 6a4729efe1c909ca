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
  private boolean hasEmptyRange;

  /** {@code skipsMissing}: the engine ignores records of dropped column families, so they are not checked. */
  BatchCheck(Database database, boolean skipsMissing) {
    this.database = database;
    this.skipsMissing = skipsMissing;
  }

  @Override
  public void visit(Operation operation, int id, MemorySegment first, MemorySegment second) {
    NativeFamily family = family(id);
    if (family == null) {
      hasEmptyRange |= operation == Operation.DELETE_RANGE && !hasKeys(null, first, second);
      return;
    }
    if (operation == Operation.MERGE) {
      family.rules().requireMergeable(family.handle());
    } else if (operation == Operation.SINGLE_DELETE) {
      family.rules().requireSingleDeletes(family.handle());
    } else if (operation == Operation.DELETE_RANGE) {
      hasEmptyRange |= !hasKeys(family, first, second);
    }
    if (first != null) {
      family.rules().requirePlace(first, first.byteSize());
    }
  }

  /**
   * Returns the batch to write. The engine gives an empty range a sequence number when it is written, but not when its WAL
   * is recovered, and then gives the number to another write: so the engine gets no empty range.
   */
  BatchBytes withoutEmptyRanges(BatchBytes batch) {
    if (!hasEmptyRange) {
      return batch;
    }
    BatchBytes kept = new BatchBytes(batch.size());
    batch.forEach((operation, id, first, second) -> {
      if (operation != Operation.DELETE_RANGE || hasKeys(family(id), first, second)) {
        kept.append(operation, id, first, second);
      }
    });
    return kept;
  }

  /** Whether a range may contain keys; {@code family} is null if the record is skipped. */
  private boolean hasKeys(NativeFamily family, MemorySegment from, MemorySegment until) {
    return family == null
        ? from.mismatch(until) >= 0
        : hasKeys(database, family, from, from.byteSize(), until, until.byteSize());
  }

  /**
   * Whether a range is not empty. Refuses ranges that end before they start, and all with transactions, as the engine does, but
   * with a reason; checks the range's keys.
   */
  static boolean hasKeys(
      Database database, NativeFamily family, MemorySegment from, long fromSize, MemorySegment until, long untilSize) {
    if (database.kind().hasTransactions()) {
      throw Status.parse(
          "Not implemented: the engine deletes no ranges in a database with transactions",
          family.handle().name() + ": scan the range, and delete each key");
    }
    boolean hasKeys = family.rules().hasKeys(from, fromSize, until, untilSize);
    family.rules().requirePlace(until, untilSize);
    return hasKeys;
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
