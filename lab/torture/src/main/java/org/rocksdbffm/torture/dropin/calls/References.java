/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.dropin.calls;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.DBOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Transaction;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;
import org.rocksdbffm.torture.dropin.steps.CallStep;
import org.rocksdbffm.torture.dropin.steps.StepLog;
import org.rocksdbffm.torture.world.WrongAnswer;

/**
 * Two databases to which only the harness writes. Steps pass the objects of these databases to other databases, and yet
 * their entries must always equal the {@link ReferenceModel}.
 */
public final class References {
  /** The prefix of the names that the databases' objects have in the pool. */
  static final String PREFIX = "r";

  private final Path folder;
  private final StepLog log;
  private final ReferenceModel model = new ReferenceModel();
  private final List<RocksDB> databases = new ArrayList<>();
  private final List<List<ColumnFamilyHandle>> families = new ArrayList<>();

  public References(Path folder, StepLog log) throws Exception {
    this.folder = folder;
    this.log = log;
    Files.createDirectories(folder);
    open();
    for (int database = 0; database < databases.size(); database++) {
      for (int family = 0; family < ReferenceModel.FAMILIES.size(); family++) {
        for (var row : model.rows(database, family).entrySet()) {
          databases.get(database).put(handle(database, family), bytes(row.getKey()), bytes(row.getValue()));
        }
      }
    }
  }

  private void open() throws RocksDBException {
    for (String name : ReferenceModel.DATABASES) {
      List<ColumnFamilyDescriptor> descriptors = new ArrayList<>();
      ReferenceModel.FAMILIES.forEach(family -> descriptors.add(new ColumnFamilyDescriptor(bytes(family))));
      List<ColumnFamilyHandle> handles = new ArrayList<>();
      try (DBOptions options = options(name);
          TransactionDBOptions rules = new TransactionDBOptions()) {
        String path = folder.resolve(name).toString();
        databases.add(
            name.equals("b")
                ? TransactionDB.open(options, rules, path, descriptors, handles)
                : RocksDB.open(options, path, descriptors, handles));
      }
      families.add(handles);
    }
  }

  /** Returns options with recycled WAL files for one database, and with compressed WAL files for the other. */
  private static DBOptions options(String name) {
    Properties logs = new Properties();
    logs.setProperty(name.equals("a") ? "recycle_log_file_num" : "wal_compression", name.equals("a") ? "2" : "kZSTD");
    return DBOptions.getDBOptionsFromProps(logs).setCreateIfMissing(true).setCreateMissingColumnFamilies(true);
  }

  private ColumnFamilyHandle handle(int database, int family) {
    return families.get(database).get(family);
  }

  /** Adds these databases' objects to the pool of a case. */
  void lendTo(CallResults pool) {
    int number = 0;
    for (int database = 0; database < databases.size(); database++) {
      RocksDB db = databases.get(database);
      pool.put(PREFIX + number++, db);
      for (ColumnFamilyHandle handle : families.get(database)) {
        pool.put(PREFIX + number++, handle);
      }
      pool.put(PREFIX + number++, db.getSnapshot());
      pool.put(PREFIX + number++, db.newIterator(handle(database, 1)));
      pool.put(PREFIX + number++, db.newIterator());
    }
    Transaction transaction = ((TransactionDB) databases.get(1)).beginTransaction(new WriteOptions());
    pool.put(PREFIX + number++, transaction);
    pool.put(PREFIX + number, new ReadOptions().setSnapshot(databases.get(0).getSnapshot()));
  }

  /** Whether a step would write to these databases by a valid call, which would not be a failure of the drop-in. */
  static boolean isHarm(String name, Object receiver) {
    return name.startsWith(PREFIX) && (receiver instanceof RocksDB || receiver instanceof Transaction);
  }

  synchronized void put(CallStep step) throws RocksDBException {
    ColumnFamilyHandle handle = handle(ReferenceModel.number(step, 0), ReferenceModel.number(step, 1));
    RocksDB database = databases.get(ReferenceModel.number(step, 0));
    byte[] key = bytes(ReferenceModel.text(step, 2));
    String value = ReferenceModel.text(step, 3);
    if (value == null) {
      database.delete(handle, key);
    } else {
      database.put(handle, key, bytes(value));
    }
    model.apply(step);
    log.wrote(step);
  }

  synchronized void deleteRange(CallStep step) throws RocksDBException {
    ColumnFamilyHandle handle = handle(ReferenceModel.number(step, 0), ReferenceModel.number(step, 1));
    RocksDB database = databases.get(ReferenceModel.number(step, 0));
    byte[] from = bytes(ReferenceModel.text(step, 2));
    byte[] until = bytes(ReferenceModel.text(step, 3));
    boolean isReversed = ReferenceModel.text(step, 2).compareTo(ReferenceModel.text(step, 3)) > 0;
    try (WriteOptions options = new WriteOptions();
        WriteBatch batch = new WriteBatch()) {
      switch (step.number() % 3) {
        case 0 -> database.deleteRange(handle, from, until);
        case 1 -> database.deleteRange(handle, options, from, until);
        default -> {
          batch.deleteRange(handle, from, until);
          database.write(options, batch);
        }
      }
    } catch (RocksDBException e) {
      if (isReversed) {
        return;
      }
      throw e;
    }
    model.apply(step);
    log.wrote(step);
  }

  synchronized void get(CallStep step) throws RocksDBException {
    ColumnFamilyHandle handle = handle(ReferenceModel.number(step, 0), ReferenceModel.number(step, 1));
    String key = ReferenceModel.text(step, 2);
    byte[] found = databases.get(ReferenceModel.number(step, 0)).get(handle, bytes(key));
    String expected = model.rows(ReferenceModel.number(step, 0), ReferenceModel.number(step, 1)).get(key);
    if (!java.util.Objects.equals(expected, text(found))) {
      throw new WrongAnswer("the reference's " + key + " is " + text(found) + " instead of " + expected);
    }
  }

  synchronized void flush(CallStep step) throws RocksDBException {
    int database = ReferenceModel.number(step, 0);
    try (FlushOptions options = new FlushOptions()) {
      databases.get(database).flush(options, handle(database, ReferenceModel.number(step, 1)));
    }
  }

  /** Opens the databases again, and compares all entries with the model, and the sequence numbers with those before. */
  public synchronized void verify() throws RocksDBException {
    List<Long> numbers = databases.stream().map(RocksDB::getLatestSequenceNumber).toList();
    databases.forEach(RocksDB::close);
    databases.clear();
    families.clear();
    open();
    List<Long> recovered = databases.stream().map(RocksDB::getLatestSequenceNumber).toList();
    if (!recovered.equals(numbers)) {
      throw new WrongAnswer("the references' last sequence numbers are " + recovered + " instead of " + numbers);
    }
    for (int database = 0; database < databases.size(); database++) {
      for (int family = 0; family < ReferenceModel.FAMILIES.size(); family++) {
        Map<String, String> rows = new TreeMap<>();
        try (RocksIterator iterator = databases.get(database).newIterator(handle(database, family))) {
          for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
            rows.put(text(iterator.key()), text(iterator.value()));
          }
          iterator.status();
        }
        if (!rows.equals(model.rows(database, family))) {
          throw new WrongAnswer(
              "family " + family + " of reference " + database + " has " + rows + " instead of "
              + model.rows(database, family));
        }
      }
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(byte[] bytes) {
    return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
  }
}
