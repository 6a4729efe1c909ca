/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.kill;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.Transaction;
import org.rocksdbffm.TransactionDb;
import org.rocksdbffm.torture.world.WrongAnswer;

/**
 * Compares a database with the ledgers of a killed {@link KilledWriter}: it must have every acknowledged write, and no
 * part of a batch or transaction without the rest.
 */
final class KillCheck {
  private final Path folder;
  private final int run;
  private final boolean isAtomic;
  private long acknowledged;
  private long unacknowledged;

  /** @param isAtomic whether the writer flushed all families together */
  KillCheck(Path folder, int run, boolean isAtomic) {
    this.folder = folder;
    this.run = run;
    this.isAtomic = isAtomic;
  }

  long acknowledged() {
    return acknowledged;
  }

  long unacknowledged() {
    return unacknowledged;
  }

  /** Ends prepared transactions, and checks the rows of all writers. */
  void check(RocksDb db) throws IOException {
    acknowledged = 0;
    unacknowledged = 0;
    Map<String, Transaction> prepared = new HashMap<>();
    if (db instanceof TransactionDb transactional) {
      transactional.prepared().forEach(one -> prepared.put(one.preparedName().orElseThrow(), one));
    }
    for (KilledThread writer : KilledThread.values()) {
      long done = Ledger.read(folder, writer.ordinal(), Ledger.Step.DONE);
      switch (writer) {
        case SYNCED_ROWS, ROWS -> checkRows(db, writer, done);
        case SYNCED_BATCHES, BATCHES, SYNCED_TRANSACTIONS, TRANSACTIONS -> {
          count(done + 1, true);
          count(checkBatches(db, writer, done, done + 1) - done, false);
        }
        case SYNCED_TWO_PHASES, TWO_PHASES -> checkTwoPhases(db, writer, done, prepared);
        case UNLOGGED -> checkUnlogged(db, writer, done);
        case GENERATIONS -> checkGenerations(db, writer, done);
      }
    }
    if (!prepared.isEmpty()) {
      throw wrong("transactions are prepared that were ended: " + prepared.keySet());
    }
  }

  private WrongAnswer wrong(String text) {
    return new WrongAnswer("run " + run + ": " + text);
  }

  /** Returns the families with rows of all writers; null in place of a family that does not exist yet. */
  private static List<ColumnFamily> families(RocksDb db) {
    List<ColumnFamily> families = new ArrayList<>();
    for (String name : List.of("default", KilledThread.OTHER, KilledThread.THIRD)) {
      families.add(db.families().stream().filter(family -> family.name().equals(name)).findAny().orElse(null));
    }
    return families;
  }

  /** Returns the number of the write of a row, -1 if there is no row or no family. */
  private static long number(ColumnFamily family, KilledRows rows, long key) {
    return family == null ? -1 : rows.number(family.get(rows.key(key)));
  }

  private void checkRows(RocksDb db, KilledThread writer, long done) {
    List<ColumnFamily> families = families(db);
    KilledRows rows = new KilledRows(run, writer.ordinal());
    for (long number = 0; number <= done + 2; number++) {
      long found = number(families.get((int) (number % families.size())), rows, number);
      if (found != -1 && found != number || found == -1 && number <= done) {
        throw wrong(writer + ": write " + number + " of " + done + " is lost or wrong");
      }
      if (found != -1 && number == done + 2) {
        throw wrong(writer + ": a write exists that was not started");
      }
      count(found == -1 ? 0 : 1, number <= done);
    }
  }

  private void count(long writes, boolean isAcknowledged) {
    acknowledged += isAcknowledged ? writes : 0;
    unacknowledged += isAcknowledged ? 0 : writes;
  }

  /** Returns the numbers of the writer's rows in each family; throws if a family has rows of several batches. */
  private List<Long> numbers(RocksDb db, KilledThread writer) {
    List<ColumnFamily> families = families(db);
    KilledRows rows = new KilledRows(run, writer.ordinal());
    List<Long> numbers = new ArrayList<>();
    for (int i = 0; i < KilledThread.BATCH; i++) {
      long number = number(families.get(i % families.size()), rows, i);
      if (i < families.size()) {
        numbers.add(number);
      } else if (number != numbers.get(i % families.size())) {
        throw wrong(writer + ": rows of one family are of different batches: " + number + " and " + numbers);
      }
    }
    return numbers;
  }

  /** Each batch overwrites all rows, so all rows must be of the same batch. Returns its number, -1 if none. */
  private long checkBatches(RocksDb db, KilledThread writer, long least, long most) {
    List<Long> numbers = numbers(db, writer);
    long number = numbers.getFirst();
    if (numbers.stream().anyMatch(one -> one != number)) {
      throw wrong(writer + ": a batch is torn: " + numbers);
    }
    if (number < least || number > most) {
      throw wrong(writer + ": batch " + least + " was acknowledged, and " + number + " is there");
    }
    return number;
  }

  private void checkTwoPhases(RocksDb db, KilledThread writer, long done, Map<String, Transaction> prepared)
      throws IOException {
    long next = done + 1;
    long least = done >= 0 && !KilledThread.isCommitted(done) ? done - 1 : done;
    long number = checkBatches(db, writer, least, KilledThread.isCommitted(next) ? next : least);
    Transaction open = prepared.remove(writer.preparedName(run, next));
    boolean mustExist =
        Ledger.read(folder, writer.ordinal(), Ledger.Step.PREPARED) == next && KilledThread.isCommitted(next);
    if (open != null && number == next) {
      throw wrong(writer + ": transaction " + next + " is both prepared and committed");
    }
    if (open == null) {
      if (mustExist && number != next) {
        throw wrong(writer + ": prepared transaction " + next + " is lost");
      }
    } else if (KilledThread.isCommitted(next)) {
      open.commit();
      number = checkBatches(db, writer, next, next);
    } else {
      open.rollback();
      checkBatches(db, writer, least, least);
    }
    count(done + 1, true);
    count(number - least, false);
  }

  private void checkUnlogged(RocksDb db, KilledThread writer, long done) {
    List<Long> numbers = numbers(db, writer);
    for (long number : numbers) {
      if (number < done || number > done + 1) {
        throw wrong(writer + ": batch " + done + " was flushed, and there are " + numbers);
      }
      if (isAtomic && number != numbers.getFirst()) {
        throw wrong(writer + ": a batch without WAL is torn, though families are flushed together: " + numbers);
      }
    }
    count(done + 1, true);
    count(numbers.getFirst() - done, false);
  }

  /** Even steps are batches over a new family and others, odd ones are drops of the family. */
  private void checkGenerations(RocksDb db, KilledThread writer, long done) {
    KilledRows rows = new KilledRows(run, writer.ordinal());
    List<ColumnFamily> families = families(db);
    for (long number = 0; number <= done / 2 + 1; number++) {
      long first = number(families.get(0), rows, number);
      long second = number(families.get(1), rows, number);
      if (first != second || first == -1 && 2 * number <= done) {
        throw wrong(writer + ": batch " + number + " of " + done + " steps is torn or lost");
      }
      count(first == -1 ? 0 : 1, 2 * number <= done);
    }
    String prefix = KilledThread.generations(run);
    for (ColumnFamily family : db.families()) {
      if (!family.name().startsWith(prefix)) {
        continue;
      }
      long number = Long.parseLong(family.name().substring(prefix.length()));
      if (number < (done + 1) / 2) {
        throw wrong(writer + ": family " + family.name() + " was dropped, and exists");
      }
      if (number(family, rows, number) != number(families.getFirst(), rows, number)) {
        throw wrong(writer + ": a batch over a new family is torn");
      }
    }
  }
}
