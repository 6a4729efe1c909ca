/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import org.rocksdbffm.DatabaseFiles;
import org.rocksdbffm.DatabaseFiles.HeldFile;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.internal.files.ArchivedDatabase;

/** A database of the core. */
record OpenDb(RocksDb db) implements ArchivedDatabase {
  private DatabaseFiles files() {
    return db.files();
  }

  @Override
  public String path() {
    return db.path().toString();
  }

  @Override
  public String identity() {
    return files().identity();
  }

  @Override
  public long latestSequenceNumber() {
    return files().latestSequenceNumber();
  }

  @Override
  public void flushWal() {
    files().flushWal();
  }

  @Override
  public End pauseDeletions() {
    return files().pauseDeletions()::close;
  }

  @Override
  public Hold hold(boolean flushFirst) {
    DatabaseFiles.Hold hold = flushFirst ? files().hold() : files().holdWithLogs();
    return new Hold(hold.files().stream().map(Held::new).toList(), hold.sequenceNumber(), hold::close);
  }

  @Override
  public <T, E extends Throwable> T useKeys(ScopedValue.CallableOp<T, E> operation) throws E {
    return files().useKeys(operation);
  }

  private record Held(HeldFile file) implements File {
    @Override
    public String name() {
      return file.name();
    }

    @Override
    public Path path() {
      return file.path();
    }

    @Override
    public boolean isLog() {
      return file.kind() == HeldFile.Kind.LOG;
    }

    @Override
    public boolean isManifest() {
      return file.kind() == HeldFile.Kind.MANIFEST;
    }

    @Override
    public long size() {
      return file.size().bytes();
    }

    @Override
    public boolean isWhole() {
      return file.isWhole();
    }

    @Override
    public InputStream open() throws IOException {
      return file.open();
    }
  }
}
