/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.read;

import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.DirectSlice;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksIterator;
import org.rocksdb.StringAppendOperator;
import org.rocksdb.Transaction;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.WBWIRocksIterator;
import org.rocksdb.WriteBatchWithIndex;
import org.rocksdb.WriteOptions;

/** Passes a memory-mapped file that was truncated to each method whose entry point reads a buffer. */
final class MappedBufferProgram {
  private static final int SIZE = 8192;

  private MappedBufferProgram() {}

  private interface Use {
    void of(ByteBuffer buffer) throws Exception;
  }

  public static void main(String[] arguments) throws Exception {
    RocksDB.loadLibrary();
    try (StringAppendOperator append = new StringAppendOperator();
        Options options = new Options().setCreateIfMissing(true).setMergeOperator(append);
        TransactionDBOptions transactions = new TransactionDBOptions();
        TransactionDB db = TransactionDB.open(options, transactions, "db");
        WriteOptions writing = new WriteOptions();
        WriteBatchWithIndex batch = new WriteBatchWithIndex(true);
        WBWIRocksIterator entries = batch.newIterator();
        Transaction transaction = db.beginTransaction(writing)) {
      db.put(bytes("a"), bytes("1"));
      db.put(bytes("z"), bytes("2"));
      ColumnFamilyHandle family = db.getDefaultColumnFamily();
      freed("put into an indexed batch", buffer -> batch.put(buffer, buffer.duplicate()));
      freed("delete from an indexed batch", batch::delete);
      freed("seek in an indexed batch", entries::seek);
      freed("seek backward in an indexed batch", entries::seekForPrev);
      freed("put in a transaction", buffer -> transaction.put(buffer, buffer.duplicate()));
      freed("merge untracked in a transaction", buffer ->
          transaction.mergeUntracked(family, buffer, buffer.duplicate()));
      freed("bound of an iterator made later", buffer -> new DirectSlice(buffer, 4).close());
      bounded(db);
    }
    System.exit(0);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static void freed(String what, Use use) throws Exception {
    try (FileChannel file = newFile()) {
      MappedByteBuffer mapped = file.map(FileChannel.MapMode.READ_WRITE, 0, SIZE);
      file.truncate(0);
      try {
        use.of(mapped);
        System.out.println(what + ": done");
      } catch (InternalError e) {
        System.out.println(what + ": InternalError");
      }
    }
  }

  private static void bounded(RocksDB db) throws Exception {
    try (FileChannel file = newFile()) {
      MappedByteBuffer mapped = file.map(FileChannel.MapMode.READ_WRITE, 0, SIZE);
      mapped.put(0, bytes("m"));
      try (DirectSlice bound = new DirectSlice(mapped, 1);
          ReadOptions reading = new ReadOptions().setIterateUpperBound(bound);
          RocksIterator rows = db.newIterator(reading)) {
        file.truncate(0);
        int count = 0;
        for (rows.seekToFirst(); rows.isValid(); rows.next()) {
          count++;
        }
        System.out.println("bound of an iterator made before: " + count + " rows");
      }
    }
  }

  private static FileChannel newFile() throws Exception {
    FileChannel file =
        FileChannel.open(
            Path.of("mapped"), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    file.write(ByteBuffer.allocate(SIZE), 0);
    return file;
  }
}
