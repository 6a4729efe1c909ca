/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The files of a base, without WAL files.
 *
 * @param identity the id of the database
 * @param sequence the base is a state of the database only together with all writes up to this number
 * @param firstLog the number of the first WAL file that the base needs
 * @param firstEntry the index of the first entry that may have pieces of these files
 */
record BaseFiles(String identity, long sequence, long firstLog, long firstEntry, List<Stored> files) {
  /**
   * A file of a base.
   *
   * @param object the name of the object with its bytes
   * @param hash the SHA-256 of the bytes
   */
  record Stored(String name, long size, String object, byte[] hash) {}

  void write(DataOutputStream out) throws IOException {
    out.writeUTF(identity);
    out.writeLong(sequence);
    out.writeLong(firstLog);
    out.writeLong(firstEntry);
    out.writeInt(files.size());
    for (Stored file : files) {
      out.writeUTF(file.name);
      out.writeLong(file.size);
      out.writeUTF(file.object);
      out.write(file.hash);
    }
  }

  static BaseFiles read(Entry entry) throws IOException {
    try (DataInputStream in = entry.open()) {
      String identity = in.readUTF();
      long sequence = in.readLong();
      long firstLog = in.readLong();
      long firstEntry = in.readLong();
      List<Stored> files = new ArrayList<>();
      for (int left = in.readInt(); left > 0; left--) {
        files.add(new Stored(in.readUTF(), in.readLong(), in.readUTF(), in.readNBytes(Entry.NO_HASH.length)));
      }
      return new BaseFiles(identity, sequence, firstLog, firstEntry, files);
    }
  }

  long size() {
    return files.stream().mapToLong(Stored::size).sum();
  }
}
