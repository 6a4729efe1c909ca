/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.TreeMap;

/** Writes the pieces of WAL files to a folder, and checks that none is missing. Used by one thread. */
final class Logs implements AutoCloseable {
  private final Path folder; // null: only checks
  private final long firstLog;
  private final TreeMap<Long, Long> sizes = new TreeMap<>(); // by number
  private FileChannel channel; // reads the last file; null if there is none
  private boolean isAtEnd;

  Logs(Path folder, long firstLog) {
    this.folder = folder;
    this.firstLog = firstLog;
  }

  /** Returns how many bytes were written. */
  long size() {
    return sizes.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Writes the batches of a segment up to a sequence number. */
  void write(Entry entry, long cut) throws IOException {
    for (Segment.Piece piece : Segment.read(entry).pieces()) {
      if (piece.log() >= firstLog && !isAtEnd) {
        write(Chain.name(entry.head().index()), piece, cut);
      }
    }
  }

  private void write(String object, Segment.Piece piece, long cut) throws IOException {
    boolean isOlder = !sizes.isEmpty() && piece.log() < sizes.lastKey();
    if (isOlder || sizes.getOrDefault(piece.log(), 0L) != piece.from()) {
      throw new Damage(object, "a piece of the WAL is missing before it");
    }
    long end = piece.end();
    for (Segment.Mark mark : piece.marks().reversed()) {
      if (mark.sequence() <= cut) {
        break;
      }
      isAtEnd = true;
      end = piece.from();
    }
    for (Segment.Mark mark : piece.marks()) {
      end = isAtEnd && mark.sequence() <= cut ? mark.end() : end;
    }
    put(piece, Math.toIntExact(end - piece.from()));
    sizes.put(piece.log(), end);
  }

  private void put(Segment.Piece piece, int length) throws IOException {
    if (folder == null) {
      return;
    }
    if (piece.from() == 0) {
      close();
      channel =
          FileChannel.open(
              folder.resolve(String.format("%06d.log", piece.log())), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    }
    ByteBuffer bytes = ByteBuffer.wrap(piece.bytes(), 0, length);
    long offset = piece.from();
    while (bytes.hasRemaining()) {
      offset += channel.write(bytes, offset);
    }
  }

  /** Syncs and closes the last file. */
  @Override
  public void close() throws IOException {
    if (channel != null) {
      channel.force(true);
      channel.close();
      channel = null;
    }
  }
}
