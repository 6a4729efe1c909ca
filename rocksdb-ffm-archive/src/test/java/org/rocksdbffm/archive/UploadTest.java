/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.Backups;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.RocksDb;

/** A base uploads only new files: their bytes, and a request for each. */
class UploadTest {
  private static final int TABLES = Integer.getInteger("rocksdbffm.archive.tables", 100);
  private static final int ROWS = 500;

  @TempDir Path folder;

  /** Counts requests and the bytes that are sent. */
  private static final class Counting implements ObjectStore {
    private final ObjectStore store;
    private final AtomicLong requests = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();

    Counting(ObjectStore store) {
      this.store = store;
    }

    @Override
    public boolean putIfAbsent(String name, Content content) throws IOException {
      requests.incrementAndGet();
      bytes.addAndGet(content.size());
      return store.putIfAbsent(name, content);
    }

    @Override
    public InputStream get(String name, long from) throws IOException {
      requests.incrementAndGet();
      return store.get(name, from);
    }

    @Override
    public List<Item> list(String prefix, String after, int most) throws IOException {
      requests.incrementAndGet();
      return store.list(prefix, after, most);
    }

    @Override
    public void delete(String name) throws IOException {
      requests.incrementAndGet();
      store.delete(name);
    }

    @Override
    public void close() {
      store.close();
    }
  }

  private void writeTable(RocksDb db, int table, Random random) {
    byte[] value = new byte[200];
    for (int row = 0; row < ROWS; row++) {
      random.nextBytes(value);
      db.put(String.format("%05d-%05d", table, row).getBytes(UTF_8), value);
    }
    db.flush();
  }

  private record Size(long files, long bytes) {}

  private static Size newFiles(Path folder, Set<Path> known) throws IOException {
    long files = 0;
    long bytes = 0;
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        if (known.add(file)) {
          files++;
          bytes += Files.size(file);
        }
      }
    }
    return new Size(files, bytes);
  }

  @Test
  void aBaseAfterAChangeOfOnePercentUploadsAboutOnePercent() throws Exception {
    Random random = new Random(1);
    Counting store = new Counting(FolderStore.open(folder.resolve("store")));
    Set<Path> known = new HashSet<>();
    FamilyOptions options = FamilyOptions.defaults().disableAutoCompactions(true);
    try (RocksDb db = RocksDb.at(folder.resolve("db")).defaults(options).open();
        Backups backups = Backups.open(folder.resolve("backups"))) {
      for (int table = 0; table < TABLES; table++) {
        writeTable(db, table, random);
      }
      try (Archiver archiver = Archive.in(store).start(db, Await.FAST)) {
        Await.archived(db, archiver);
        Await.until("the first base", () -> archiver.status().bases() == 1);
        long requests = store.requests.get();
        long bytes = store.bytes.get();
        long segments = archiver.status().segments();
        backups.create(db);
        Size backup = newFiles(folder.resolve("backups"), known);
        writeTable(db, 0, random);
        db.createFamily("new", options); // starts a base
        Await.until("the second base", () -> archiver.status().bases() == 2);
        long moreSegments = archiver.status().segments() - segments; // the more, the longer the table is written
        long moreRequests = store.requests.get() - requests - 2 * moreSegments;
        long moreBytes = store.bytes.get() - bytes;
        backups.create(db);
        Size more = newFiles(folder.resolve("backups"), known);
        String found =
            TABLES + " tables: " + requests + " requests, " + bytes + " bytes; after 1 table more " + moreRequests
                + " requests, " + moreBytes + " bytes; backups wrote " + backup + ", then " + more;
        System.out.println(found);
        long table = bytes / TABLES;
        assertTrue(requests <= TABLES + 15, found); // tables, other files, entries, the newest's search
        assertTrue(moreRequests <= 8, found);
        assertTrue(moreBytes <= 2 * table + table / 2 + 20_000, found); // the table, its rows in the WAL, the MANIFEST
      }
    }
  }
}
