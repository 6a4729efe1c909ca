/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.exits;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.rocksdb.AbstractComparator;
import org.rocksdb.AbstractEventListener;
import org.rocksdb.ComparatorOptions;
import org.rocksdb.FlushJobInfo;
import org.rocksdb.FlushOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** A database of the drop-in: a comparator is called in a method's call, and a listener on an engine thread. */
final class DropInStore implements Victim.Store {
  private final RocksDB db;

  private DropInStore(RocksDB db) {
    this.db = db;
  }

  static DropInStore open(Path folder, Way way, AtomicBoolean ends) throws RocksDBException {
    RocksDB.loadLibrary();
    Options options =
        new Options().setCreateIfMissing(true).setWriteBufferSize(64 << 10).setLevel0FileNumCompactionTrigger(2);
    if (way.isInCall()) {
      options.setComparator(new Ends(way, ends));
    }
    if (way.isInThreadOfEngine()) {
      options.setListeners(List.of(new Listener(way, ends)));
    }
    return new DropInStore(RocksDB.open(options, folder.toString()));
  }

  private static final class Ends extends AbstractComparator {
    private final Way way;
    private final AtomicBoolean ends;

    Ends(Way way, AtomicBoolean ends) {
      super(new ComparatorOptions());
      this.way = way;
      this.ends = ends;
    }

    @Override
    public String name() {
      return "ends";
    }

    @Override
    public int compare(ByteBuffer a, ByteBuffer b) {
      if (ends.get()) {
        way.endHere();
      }
      return a.compareTo(b);
    }
  }

  private static final class Listener extends AbstractEventListener {
    private final Way way;
    private final AtomicBoolean ends;

    Listener(Way way, AtomicBoolean ends) {
      this.way = way;
      this.ends = ends;
    }

    @Override
    public void onFlushCompleted(RocksDB db, FlushJobInfo flush) {
      if (ends.get()) {
        way.endHere();
      }
    }
  }

  @Override
  public void put(byte[] key, byte[] value) throws RocksDBException {
    db.put(key, value);
  }

  @Override
  public void get(byte[] key) throws RocksDBException {
    db.get(key);
  }

  @Override
  public void flush() throws RocksDBException {
    try (FlushOptions options = new FlushOptions().setWaitForFlush(false)) {
      db.flush(options);
    }
  }

  @Override
  public void callBack() throws RocksDBException {
    db.put(Victim.key(-1), Victim.key(-1));
  }

  @Override
  public void close() {
    db.close();
  }
}
