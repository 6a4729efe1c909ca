/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.clients.sets;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.rocksdb.AbstractNativeReference;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.ConfigOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.Env;
import org.rocksdb.OptimisticTransactionDB;
import org.rocksdb.Options;
import org.rocksdb.OptionsUtil;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.TtlDB;
import org.rocksdb.WriteOptions;

/** The options with which a client opens its database, reads and writes; set by {@link ClientOptions}. */
final class OptionSet implements AutoCloseable {
  /** The class whose open method the client calls. */
  enum Kind {
    PLAIN,
    TTL,
    PESSIMISTIC,
    OPTIMISTIC
  }

  private final List<AbstractNativeReference> kept = new ArrayList<>();
  private final Map<String, ColumnFamilyOptions> families = new LinkedHashMap<>();
  private Options options;
  private DBOptions db;

  final ReadOptions reads = keep(new ReadOptions());
  final WriteOptions writes = keep(new WriteOptions());
  final TransactionDBOptions transactions = keep(new TransactionDBOptions());
  Kind kind = Kind.PLAIN;

  /** The TTL in seconds of all families, for {@link Kind#TTL}. */
  int ttl;

  /** An operand that is merged three times into a hundred rows; null if the client has no merge operator. */
  byte[] operand;

  /** Whether ranges can be deleted; in some table formats a deleted range would break the database. */
  boolean ranges = true;

  /** False if rocksdbjni's gets in a read-only database would miss values in blob files; its iterators find them. */
  boolean readOnlyGets = true;

  /** Options texts that the client sets while the database is open, each in one call. */
  final List<String> changes = new ArrayList<>();

  /** Closes an object after the database. */
  <T extends AbstractNativeReference> T keep(T object) {
    kept.add(object);
    return object;
  }

  /** Returns the options of a client that opens the default family without naming it. */
  Options options() {
    if (options == null) {
      options = keep(new Options());
    }
    return options;
  }

  DBOptions db() {
    if (db == null) {
      db = keep(new DBOptions());
    }
    return db;
  }

  /** Replaces the database's options, for example by parsed ones. */
  DBOptions db(DBOptions other) {
    db = keep(other);
    return db;
  }

  ColumnFamilyOptions family(String name) {
    return families.computeIfAbsent(name, _ -> keep(new ColumnFamilyOptions()));
  }

  void family(String name, ColumnFamilyOptions other) {
    families.put(name, keep(other));
  }

  /** Loads the options of the database and its families from an OPTIONS file with a text. */
  void file(String text) {
    List<ColumnFamilyDescriptor> named = new ArrayList<>();
    try (ConfigOptions lenient = new ConfigOptions().setIgnoreUnknownOptions(false).setEnv(Env.getDefault())) {
      Path file = Files.writeString(Files.createTempFile("options", ".ini"), text);
      OptionsUtil.loadOptionsFromFile(lenient, file.toString(), db(), named);
    } catch (IOException | RocksDBException e) {
      throw new IllegalStateException(e);
    }
    named.forEach(each -> family(new String(each.getName()), each.getOptions()));
  }

  /** Opens the database; always creates it and its families if missing. */
  RocksDB open(String path, List<ColumnFamilyHandle> handles) throws RocksDBException {
    if (options != null) {
      options.setCreateIfMissing(true);
      RocksDB opened =
          switch (kind) {
            case PLAIN -> RocksDB.open(options, path);
            case TTL -> TtlDB.open(options, path, ttl, false);
            case PESSIMISTIC -> TransactionDB.open(options, transactions, path);
            case OPTIMISTIC -> OptimisticTransactionDB.open(options, path);
          };
      handles.add(opened.getDefaultColumnFamily());
      return opened;
    }
    db().setCreateIfMissing(true).setCreateMissingColumnFamilies(true);
    List<ColumnFamilyDescriptor> named = descriptors();
    return switch (kind) {
      case PLAIN -> RocksDB.open(db, path, named, handles);
      case TTL -> TtlDB.open(db, path, named, handles, ttls(named), false);
      case PESSIMISTIC -> TransactionDB.open(db, transactions, path, named, handles);
      case OPTIMISTIC -> OptimisticTransactionDB.open(db, path, named, handles);
    };
  }

  RocksDB openReadOnly(String path, List<ColumnFamilyHandle> handles) throws RocksDBException {
    if (options != null) {
      RocksDB opened =
          kind == Kind.TTL ? TtlDB.open(options, path, ttl, true) : RocksDB.openReadOnly(options, path);
      handles.add(opened.getDefaultColumnFamily());
      return opened;
    }
    List<ColumnFamilyDescriptor> named = descriptors();
    return kind == Kind.TTL
        ? TtlDB.open(db(), path, named, handles, ttls(named), true)
        : RocksDB.openReadOnly(db(), path, named, handles);
  }

  private List<ColumnFamilyDescriptor> descriptors() {
    family("default");
    List<ColumnFamilyDescriptor> named = new ArrayList<>();
    families.forEach((name, chosen) -> named.add(new ColumnFamilyDescriptor(name.getBytes(), chosen)));
    return named;
  }

  private List<Integer> ttls(List<ColumnFamilyDescriptor> named) {
    return Collections.nCopies(named.size(), ttl);
  }

  @Override
  public void close() {
    for (AbstractNativeReference object : kept.reversed()) {
      object.close();
    }
  }
}
