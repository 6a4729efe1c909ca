/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.clients.raft;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/** Writes the rows of a closed database to a file, one per line: family, key and value. */
final class StoredRows {
  private StoredRows() {}

  /** Arguments: pairs of a database folder and the file for its rows. */
  public static void main(String[] arguments) throws IOException, RocksDBException {
    for (int at = 0; at < arguments.length; at += 2) {
      try (PrintStream rows = new PrintStream(Files.newOutputStream(Path.of(arguments[at + 1])))) {
        write(arguments[at], rows);
        rows.flush();
        if (rows.checkError()) {
          throw new IOException("cannot write " + arguments[at + 1]);
        }
      }
    }
  }

  private static void write(String folder, PrintStream rows) throws RocksDBException {
    List<ColumnFamilyDescriptor> families = new ArrayList<>();
    try (Options options = new Options()) {
      RocksDB.listColumnFamilies(options, folder).forEach(name -> families.add(new ColumnFamilyDescriptor(name)));
    }
    List<ColumnFamilyHandle> handles = new ArrayList<>();
    try (RocksDB database = RocksDB.openReadOnly(folder, families, handles)) {
      for (ColumnFamilyHandle family : handles) {
        write(new String(family.getName()), database.newIterator(family), rows);
        family.close();
      }
    }
  }

  private static void write(String family, RocksIterator iterator, PrintStream rows) throws RocksDBException {
    try (iterator) {
      for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
        rows.println(family + " " + new String(iterator.key()) + " " + new String(iterator.value()));
      }
      iterator.status();
    }
  }
}
