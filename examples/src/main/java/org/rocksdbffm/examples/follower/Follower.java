/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.examples.follower;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.Opening;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.WriteBatch;

/**
 * Keeps a copy of a primary's database up to date. A checkpoint is received into one folder, renamed when it is
 * complete, and then replaces the database: after an interruption, the next follower knows from the names how to
 * continue.
 */
public final class Follower implements AutoCloseable {
  private static final int FIRST_ROOM = 1 << 16;
  private static final long RETRY_MILLIS = 20;

  private final Path database;
  private final Path incoming;
  private final Path complete;
  private final Opening opening;
  private volatile RocksDb db; // null until the first checkpoint is received
  private ByteBuffer room = ByteBuffer.allocateDirect(FIRST_ROOM);

  /**
   * Opens the follower's database, if it exists.
   *
   * @param folder the follower's folder, for its database and received files
   * @param options the options of the database
   */
  public Follower(Path folder, FamilyOptions options) throws IOException {
    database = folder.resolve("db");
    opening = RocksDb.at(database).defaults(options).mustExist();
    incoming = folder.resolve("incoming");
    complete = folder.resolve("complete");
    Files.createDirectories(folder);
    if (Files.exists(complete)) {
      takeOver();
    } else if (Files.exists(database)) {
      db = opening.open();
    }
  }

  /** Returns the database; null until the first checkpoint is received. A new checkpoint closes and replaces it. */
  public RocksDb db() {
    return db;
  }

  /** Follows the primary until the thread is interrupted; connects again when the primary was unreachable. */
  public void follow(int port) throws InterruptedException {
    boolean restarts = false;
    while (!Thread.interrupted()) {
      try (SocketChannel primary = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
        Wire.writeNumber(primary, restarts ? 0 : next());
        restarts = false;
        while (true) {
          byte kind = Wire.readKind(primary);
          if (kind == Wire.BATCH) {
            write(primary);
          } else {
            CheckpointFiles.receive(kind, primary, incoming);
            Files.move(incoming, complete, StandardCopyOption.ATOMIC_MOVE);
            takeOver();
            Wire.writeNumber(primary, next());
          }
        }
      } catch (IOException away) {
        Thread.sleep(RETRY_MILLIS);
      } catch (IllegalArgumentException | IllegalStateException other) {
        restarts = true; // the batch does not fit the database, as after a change of column families
        Thread.sleep(RETRY_MILLIS);
      }
    }
  }

  /** Returns the sequence number of the next write to receive. */
  private long next() {
    return db == null ? 0 : db.files().latestSequenceNumber() + 1;
  }

  private void write(SocketChannel primary) throws IOException {
    int size = Wire.readSize(primary);
    if (room.capacity() < size) {
      room = ByteBuffer.allocateDirect(Math.max(size, 2 * room.capacity()));
    }
    ByteBuffer bytes = Wire.read(primary, room.clear().limit(size));
    db.write(WriteBatch.from(MemorySegment.ofBuffer(bytes)));
  }

  private void takeOver() throws IOException {
    if (db != null) {
      db.close();
    }
    CheckpointFiles.delete(database);
    Files.move(complete, database, StandardCopyOption.ATOMIC_MOVE);
    db = opening.open();
  }

  @Override
  public void close() {
    if (db != null) {
      db.close();
    }
  }
}
