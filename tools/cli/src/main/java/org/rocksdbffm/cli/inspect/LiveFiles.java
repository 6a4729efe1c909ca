/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.inspect;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.rocksdbffm.internal.folder.Manifest;
import org.rocksdbffm.internal.format.DatabaseFile;
import org.rocksdbffm.internal.format.Fields;
import org.rocksdbffm.internal.format.LogEnd;
import org.rocksdbffm.internal.format.VersionEdit;

/** The files in the newest MANIFEST file of a database, read without the engine. */
final class LiveFiles {
  private static final int DIGITS = 6; // at least, of the number in a file name
  private static final int BLOB_HEADER_AND_FOOTER = 62; // bytes

  final Path folder;
  final Map<Integer, Family> families = new TreeMap<>(); // by number
  Path manifest; // null if CURRENT does not name one
  long manifestEnd; // the offset after its last edit
  DamagedFile damage; // the damage of CURRENT or the MANIFEST; null if both are intact

  /** A column family. */
  static final class Family {
    final int number;
    final String name;
    final Map<Long, VersionEdit.Table> tables = new TreeMap<>();
    private final Map<Long, VersionEdit.Blob> blobs = new TreeMap<>();
    private final Map<Long, Long> garbage = new TreeMap<>(); // the bytes of deleted values, by blob file

    private Family(int number, String name) {
      this.number = number;
      this.name = name;
    }

    /** Returns the sizes of blob files by number, from the first that tables use: the engine deletes earlier ones. */
    Map<Long, Long> blobSizes() {
      long first = tables.values()
          .stream()
          .mapToLong(VersionEdit.Table::oldestBlob)
          .filter(blob -> blob != VersionEdit.NONE)
          .min()
          .orElse(Long.MAX_VALUE);
      Map<Long, Long> sizes = new TreeMap<>();
      blobs.forEach((number, blob) -> {
        if (number >= first && garbage.getOrDefault(number, 0L) < blob.values()) {
          sizes.put(number, blob.bytes() + BLOB_HEADER_AND_FOOTER);
        }
      });
      return sizes;
    }
  }

  private LiveFiles(Path folder) {
    this.folder = folder;
  }

  static LiveFiles in(Path folder) throws IOException {
    LiveFiles files = new LiveFiles(folder);
    files.readCurrent();
    if (files.manifest != null) {
      files.readManifest();
    }
    return files;
  }

  private void readCurrent() throws IOException {
    Path current = folder.resolve("CURRENT");
    String newest = newestManifest();
    String advice = newest == null
        ? DamagedFile.OF_MANIFEST
        : "restore a backup; or write the line " + newest + " into it, the newest that is there, and run verify";
    if (Files.notExists(current)) {
      damage = DamagedFile.of(current, "is missing", advice);
      return;
    }
    String name = Manifest.currentName(folder);
    String text = new String(DatabaseFile.bytes(current), java.nio.charset.StandardCharsets.ISO_8859_1);
    if (name == null || !text.endsWith("\n")) {
      damage = DamagedFile.of(current, "does not name a MANIFEST file in one line", advice);
    } else if (Files.notExists(folder.resolve(name))) {
      damage = DamagedFile.of(folder.resolve(name), "is missing, and CURRENT names it", DamagedFile.OF_MANIFEST);
    } else {
      manifest = folder.resolve(name);
    }
  }

  private String newestManifest() {
    String[] names = folder.toFile().list();
    return Stream.of(names == null ? new String[0] : names)
        .filter(name -> name.matches("MANIFEST-\\d+"))
        .max(String::compareTo)
        .orElse(null);
  }

  private void readManifest() throws IOException {
    families.put(0, new Family(0, "default"));
    try {
      LogEnd end = Manifest.read(manifest, this::apply);
      manifestEnd = end.offset();
      if (!(end.kind() == LogEnd.Kind.WHOLE || end.kind() == LogEnd.Kind.RECYCLED)) {
        damage = DamagedFile.of(manifest, Inspection.ending(end), DamagedFile.OF_MANIFEST);
      } else if (end.offset() == 0) {
        damage = DamagedFile.of(manifest, "is empty", DamagedFile.OF_MANIFEST);
      }
    } catch (NoSuchFileException e) {
      damage = DamagedFile.of(manifest, "is missing, and CURRENT names it", DamagedFile.OF_MANIFEST);
    } catch (Fields.Unreadable e) {
      damage = DamagedFile.of(manifest, "cannot be read: " + e.getMessage(), DamagedFile.OF_MANIFEST);
    }
  }

  private void apply(VersionEdit edit) {
    if (edit.familyName != null) {
      families.put(edit.family, new Family(edit.family, edit.familyName));
    }
    Family family = families.get(edit.family);
    edit.deletedTables.forEach(family.tables::remove);
    edit.tables.forEach(table -> family.tables.put(table.number(), table));
    for (VersionEdit.Blob blob : edit.blobs) {
      if (blob.values() < 0) {
        family.garbage.merge(blob.number(), -blob.values(), Long::sum);
      } else {
        family.blobs.put(blob.number(), blob);
      }
    }
    if (edit.drop) {
      families.remove(edit.family);
    }
  }

  /** Finds files that are missing, or do not have their original size. */
  List<DamagedFile> lost() {
    List<DamagedFile> lost = new ArrayList<>();
    for (Family family : families.values()) {
      family.tables.values().forEach(table -> {
        String what = lost(tablePath(table.number()), table.size());
        if (what != null) {
          lost.add(new DamagedFile(tablePath(table.number()), family.name, key(table.smallest()), key(table.largest()),
              what, DamagedFile.OF_ROWS));
        }
      });
      family.blobSizes().forEach((number, size) -> {
        String what = lost(blobPath(number), size);
        if (what != null) {
          lost.add(new DamagedFile(blobPath(number), family.name, null, null, what, DamagedFile.OF_ROWS));
        }
      });
    }
    return lost;
  }

  private static String lost(Path file, long expected) {
    if (Files.notExists(file)) {
      return "is missing";
    }
    long size = file.toFile().length() - (DatabaseFile.KEYS.isBound() ? DatabaseFile.PREFIX : 0);
    return size == expected ? null : "has " + size + " bytes instead of " + expected;
  }

  Path tablePath(long number) {
    return path(number, ".sst");
  }

  Path blobPath(long number) {
    return path(number, ".blob");
  }

  /** Pads the number without a format: the first one of a process loads the texts of its locale. */
  private Path path(long number, String extension) {
    String digits = Long.toString(number);
    return folder.resolve("0".repeat(Math.max(0, DIGITS - digits.length())) + digits + extension);
  }

  /** Returns the user key of an internal key, which has eight more bytes at the end. */
  static byte[] key(byte[] internal) {
    return Arrays.copyOf(internal, Math.max(0, internal.length - Long.BYTES));
  }
}
