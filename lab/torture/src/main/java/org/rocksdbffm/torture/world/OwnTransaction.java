/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.world;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.NavigableMap;
import org.rocksdbffm.Transaction;

/** A transaction in which one client writes its rows, and the rows that it must see. */
public final class OwnTransaction {
  public final Held<Transaction> held;
  public final Bank bank;
  public NavigableMap<byte[], byte[]> rows;
  private final Deque<NavigableMap<byte[], byte[]>> savePoints = new ArrayDeque<>();

  public OwnTransaction(Held<Transaction> held, Bank bank, int client) {
    this.held = held;
    this.bank = bank;
    this.rows = copy(bank.of(client));
  }

  private static NavigableMap<byte[], byte[]> copy(NavigableMap<byte[], byte[]> rows) {
    NavigableMap<byte[], byte[]> copy = FamilyModel.empty();
    copy.putAll(rows);
    return copy;
  }

  public void setSavePoint() {
    savePoints.push(copy(rows));
  }

  public boolean hasSavePoint() {
    return !savePoints.isEmpty();
  }

  public void rollbackToSavePoint() {
    rows = savePoints.pop();
  }

  public void popSavePoint() {
    savePoints.pop();
  }

  /** Makes the transaction's rows the client's committed rows. */
  public void committed(int client) {
    NavigableMap<byte[], byte[]> all = bank.of(client);
    all.clear();
    all.putAll(rows);
  }
}
