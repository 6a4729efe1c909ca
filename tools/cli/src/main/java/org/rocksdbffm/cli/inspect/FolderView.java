/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.inspect;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongPredicate;
import java.util.zip.CRC32C;
import org.rocksdbffm.cli.arguments.CommandFolder;
import org.rocksdbffm.internal.format.DatabaseFile;
import org.rocksdbffm.internal.settings.NativeEncryption;

/**
 * A temporary folder in which the engine reads only some of a database's tables: it contains links to the files, and a
 * copy of the MANIFEST file with an additional edit that deletes the other tables.
 */
final class FolderView implements Closeable {
  private static final int DELETED_FILE = 6;
  private static final int FAMILY = 200;
  private static final int BLOCK = 32 << 10;
  private static final int HEADER = 7;
  private static final int MASK = 0xa282ead8;

  private final CommandFolder temporary = CommandFolder.create();

  /** Creates a view of the tables with wanted numbers, all blob files, and WAL files. */
  FolderView(LiveFiles files, LongPredicate wanted, List<Path> logs) throws IOException {
    try {
      ByteArrayOutputStream manifest = new ByteArrayOutputStream();
      manifest.writeBytes(Arrays.copyOf(DatabaseFile.bytes(files.manifest), (int) files.manifestEnd));
      for (LiveFiles.Family family : files.families.values()) {
        ByteArrayOutputStream edit = new ByteArrayOutputStream();
        for (var table : family.tables.values()) {
          if (wanted.test(table.number())) {
            link(files.tablePath(table.number()));
          } else {
            append(edit, DELETED_FILE, table.level(), table.number());
          }
        }
        if (edit.size() > 0) {
          append(edit, FAMILY, family.number);
          appendRecord(manifest, edit.toByteArray());
        }
        for (long blob : family.blobSizes().keySet()) {
          link(files.blobPath(blob));
        }
      }
      for (Path log : logs) {
        link(log);
      }
      write(files.manifest.getFileName().toString(), manifest.toByteArray());
      write("CURRENT", (files.manifest.getFileName() + "\n").getBytes(StandardCharsets.UTF_8));
    } catch (IOException | RuntimeException e) {
      temporary.close();
      throw e;
    }
  }

  Path path() {
    return temporary.path();
  }

  /** Writes a file, encrypted if the command has keys. */
  private void write(String name, byte[] content) throws IOException {
    NativeEncryption keys = NativeEncryption.current();
    if (keys == null) {
      Files.write(path().resolve(name), content);
    } else {
      keys.write(path().resolve(name), Channels.newChannel(new ByteArrayInputStream(content)));
    }
  }

  private void link(Path file) throws IOException {
    try {
      Files.createSymbolicLink(path().resolve(file.getFileName()), file.toRealPath());
    } catch (NoSuchFileException missing) {
      return; // the engine reports the missing file
    }
  }

  private static void append(ByteArrayOutputStream edit, long... numbers) {
    for (long number : numbers) {
      long rest = number;
      while (rest >= 0x80) {
        edit.write((int) (rest & 0x7f | 0x80));
        rest >>>= 7;
      }
      edit.write((int) rest);
    }
  }

  /** Appends a record in the engine's log format: pieces within blocks, each after a checksum, a length and a type. */
  private static void appendRecord(ByteArrayOutputStream log, byte[] record) {
    int at = 0;
    do {
      int room = BLOCK - log.size() % BLOCK;
      if (room < HEADER) {
        log.writeBytes(new byte[room]);
        room = BLOCK;
      }
      int size = Math.min(room - HEADER, record.length - at);
      boolean isFirst = at == 0;
      boolean isLast = at + size == record.length;
      byte type = (byte) (isFirst && isLast ? 1 : isFirst ? 2 : isLast ? 4 : 3);
      CRC32C sum = new CRC32C();
      sum.update(type);
      sum.update(record, at, size);
      int crc = (int) sum.getValue();
      ByteBuffer header = ByteBuffer.allocate(HEADER).order(ByteOrder.LITTLE_ENDIAN);
      header.putInt((crc >>> 15 | crc << 17) + MASK).putShort((short) size).put(type);
      log.writeBytes(header.array());
      log.write(record, at, size);
      at += size;
    } while (at < record.length);
  }

  @Override
  public void close() {
    temporary.close();
  }
}
