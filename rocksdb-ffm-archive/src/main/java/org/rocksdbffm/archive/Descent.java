/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/**
 * The file ARCHIVE of a database folder: which writer the folder has in every archive, and the line that its database was
 * restored from.
 *
 * @param lineWriter the writer of the line; empty if there is none
 */
record Descent(String writer, long line, String lineWriter) {
  private static final String NAME = "ARCHIVE";
  private static final Object CREATING = new Object();

  /**
   * Reads the file of an open database; creates it if it is missing. Archivers of several archives may start together, and
   * must have the same writer.
   */
  static Descent of(Path folder) throws IOException {
    synchronized (CREATING) {
      Descent found = read(folder);
      if (found != null) {
        return found;
      }
      Descent created = new Descent(UUID.randomUUID().toString(), 0, "");
      created.write(folder);
      return created;
    }
  }

  static Descent read(Path folder) throws IOException {
    String text;
    try {
      text = Files.readString(folder.resolve(NAME));
    } catch (NoSuchFileException e) {
      return null;
    }
    String[] parts = text.strip().split(" ", -1);
    if (parts.length < 2 || !parts[1].matches("\\d{1,18}")) {
      throw new IOException(
          folder.resolve(NAME)
              + " is damaged: delete it, and start the archiver with takingOver() if no other process writes the "
              + "archive");
    }
    return new Descent(parts[0], Long.parseLong(parts[1]), parts.length > 2 ? parts[2] : "");
  }

  void write(Path folder) throws IOException {
    Path temporary = folder.resolve(NAME + ".tmp");
    try (FileChannel out =
        FileChannel.open(
            temporary, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
      out.write(ByteBuffer.wrap((writer + " " + line + " " + lineWriter + "\n").getBytes(UTF_8)));
      out.force(true);
    }
    Files.move(temporary, folder.resolve(NAME), StandardCopyOption.ATOMIC_MOVE);
    FolderStore.sync(folder);
  }

  /** Whether the database may continue an archive whose newest line is another one. */
  boolean continues(Entry.Head newestLine) {
    return newestLine.writer().equals(writer) || newestLine.index() == line && newestLine.writer().equals(lineWriter);
  }
}
