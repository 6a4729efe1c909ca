/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.examples.follower;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.rocksdbffm.RocksDb;

/** Sends the files of a checkpoint over a socket, and receives them into a folder. */
final class CheckpointFiles {
  private static final int HEADER = 1 + Integer.BYTES + Long.BYTES;

  private CheckpointFiles() {}

  /** Sends the current state of a database; the checkpoint is created in the folder, and deleted. */
  static void send(RocksDb db, Path folder, SocketChannel to) throws IOException {
    delete(folder);
    db.files().checkpoint(folder);
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        send(file, to);
      }
    } finally {
      delete(folder);
    }
    Wire.write(to, ByteBuffer.wrap(new byte[] {Wire.END}));
  }

  private static void send(Path file, SocketChannel to) throws IOException {
    byte[] name = file.getFileName().toString().getBytes(StandardCharsets.UTF_8);
    try (FileChannel from = FileChannel.open(file)) {
      long size = from.size();
      ByteBuffer header = ByteBuffer.allocate(HEADER + name.length);
      Wire.write(to, header.put(Wire.FILE).putInt(name.length).put(name).putLong(size).flip());
      for (long sent = 0; sent < size; ) {
        sent += from.transferTo(sent, size - sent, to);
      }
    }
  }

  /** Receives files until the end frame; the kind of the first frame has been read already. */
  static void receive(byte first, SocketChannel from, Path folder) throws IOException {
    delete(folder);
    Files.createDirectories(folder);
    for (byte kind = first; kind != Wire.END; kind = Wire.readKind(from)) {
      ByteBuffer name = Wire.read(from, ByteBuffer.allocate(Wire.readSize(from)));
      receive(from, folder.resolve(Path.of(StandardCharsets.UTF_8.decode(name).toString()).getFileName()));
    }
  }

  private static void receive(SocketChannel from, Path file) throws IOException {
    long size = Wire.readNumber(from);
    try (FileChannel to = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      for (long received = 0; received < size; ) {
        long more = to.transferFrom(from, received, size - received);
        if (more == 0) {
          throw new IOException("the connection ended within " + file.getFileName());
        }
        received += more;
      }
      to.force(true);
    }
  }

  static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    List<Path> filesFirst;
    try (Stream<Path> files = Files.walk(folder)) {
      filesFirst = files.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path file : filesFirst) {
      Files.delete(file);
    }
  }
}
