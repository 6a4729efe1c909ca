/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.format;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.rocksdbffm.internal.format.Fields.Unreadable;

/** A record of a MANIFEST: the files, families and WAL numbers that it adds or removes. */
public final class VersionEdit {
  /** A missing number. */
  public static final long NONE = -1;

  private static final int COMPARATOR = 1;
  private static final int LOG_NUMBER = 2;
  private static final int NEXT_FILE = 3;
  private static final int LAST_SEQUENCE = 4;
  private static final int COMPACT_CURSOR = 5;
  private static final int DELETED_FILE = 6;
  private static final int NEW_FILE = 7;
  private static final int PREVIOUS_LOG = 9;
  private static final int MIN_LOG = 10;
  private static final int NEW_FILE_2 = 100;
  private static final int NEW_FILE_3 = 102;
  private static final int NEW_FILE_4 = 103;
  private static final int FAMILY = 200;
  private static final int FAMILY_ADD = 201;
  private static final int FAMILY_DROP = 202;
  private static final int MAX_FAMILY = 203;
  private static final int IN_ATOMIC_GROUP = 300;
  private static final int BLOB_FILE = 400;
  private static final int BLOB_GARBAGE = 401;

  /** A tag with this bit is followed by a length, so unknown tags can be skipped. */
  private static final int IGNORABLE = 1 << 13;
  private static final int OLD_BLOB_FILE = IGNORABLE + 2;
  private static final int OLD_BLOB_GARBAGE = IGNORABLE + 3;
  private static final int OLD_LOG_ADDITION = IGNORABLE + 4;
  private static final int OLD_LOG_DELETION = IGNORABLE + 5;
  private static final int LOG_ADDITION = IGNORABLE + 7;
  private static final int LOG_DELETION = IGNORABLE + 8;

  /** Tags in the entry of a file. */
  private static final int FILE_END = 1;
  private static final int FILE_MIN_LOG = 3;
  private static final int FILE_OLDEST_BLOB = 4;
  private static final int FILE_NOT_IGNORABLE = 1 << 6;
  private static final int FILE_PATH = FILE_NOT_IGNORABLE + 1;

  private static final int BLOB_END = 0;
  private static final int BLOB_NOT_IGNORABLE = 1 << 6;
  private static final int LOG_SYNCED_SIZE = 2;
  private static final int LOG_END = 1;

  public String comparator;
  public String familyName; // the name of an added family
  public boolean drop;
  public int family;
  public long logNumber = NONE;
  public long nextFile = NONE;
  public long minLog = NONE;
  public long trackedLog = NONE; // the added WAL file
  public long trackedUntil = NONE; // lower numbers are not tracked any more
  public int remaining; // number of further entries in the atomic group
  public boolean inGroup;
  public final List<Table> tables = new ArrayList<>(); // added
  public final List<Long> deletedTables = new ArrayList<>(); // by number
  public final List<Blob> blobs = new ArrayList<>(); // added; garbage has negative numbers

  /** The numbers of added and deleted table and blob files; with the size of added tables, {@link #NONE} for others. */
  public final SortedMap<Long, Long> files = new TreeMap<>();

  /**
   * An added table file.
   *
   * @param oldestBlob number of the oldest blob file with values of this table; {@link #NONE} if absent
   */
  public record Table(int level, long number, long size, byte[] smallest, byte[] largest, long oldestBlob) {}

  /** An added blob file, with the number and bytes of its values; or added garbage, with negative numbers. */
  public record Blob(long number, long values, long bytes) {}

  public static VersionEdit parse(byte[] bytes, int from, int length) {
    VersionEdit edit = new VersionEdit();
    Fields fields = new Fields(bytes, from, length);
    while (!fields.isAtEnd()) {
      edit.parse(fields.smallNumber(), fields);
    }
    return edit;
  }

  private void parse(int tag, Fields fields) {
    switch (tag) {
      case COMPARATOR -> comparator = fields.string();
      case LOG_NUMBER -> logNumber = fields.varint();
      case NEXT_FILE -> nextFile = fields.varint();
      case LAST_SEQUENCE, PREVIOUS_LOG, MAX_FAMILY -> fields.varint();
      case MIN_LOG -> minLog = fields.varint();
      case COMPACT_CURSOR -> {
        fields.varint();
        fields.skipString();
      }
      case DELETED_FILE -> {
        fields.varint(); // its level
        deletedTables.add(fields.varint());
        file(deletedTables.getLast(), NONE);
      }
      case NEW_FILE, NEW_FILE_2, NEW_FILE_3, NEW_FILE_4 -> newFile(tag, fields);
      case FAMILY -> family = fields.smallNumber();
      case FAMILY_ADD -> familyName = fields.string();
      case FAMILY_DROP -> drop = true;
      case IN_ATOMIC_GROUP -> {
        inGroup = true;
        remaining = fields.smallNumber();
      }
      case BLOB_FILE, OLD_BLOB_FILE -> blobFile(fields, true);
      case BLOB_GARBAGE, OLD_BLOB_GARBAGE -> blobFile(fields, false);
      case OLD_LOG_ADDITION -> logAddition(fields);
      case LOG_ADDITION -> logAddition(fields.nested());
      case OLD_LOG_DELETION -> trackedUntil = fields.varint();
      case LOG_DELETION -> trackedUntil = fields.nested().varint();
      default -> {
        if ((tag & IGNORABLE) == 0) {
          throw new Unreadable("a record has the unknown tag " + tag);
        }
        fields.skipString();
      }
    }
  }

  private void newFile(int tag, Fields fields) {
    int level = fields.smallNumber();
    long number = fields.varint();
    if (tag == NEW_FILE_3) {
      fields.varint(); // its path
    }
    long size = fields.varint();
    byte[] smallest = fields.bytes(fields.smallNumber());
    byte[] largest = fields.bytes(fields.smallNumber());
    long oldestBlob = NONE;
    if (tag != NEW_FILE) {
      fields.varint(); // its sequence numbers
      fields.varint();
    }
    if (tag == NEW_FILE_4) {
      for (int kind = fields.smallNumber(); kind != FILE_END; kind = fields.smallNumber()) {
        if (kind == FILE_MIN_LOG) {
          minLog = fields.nested().fixedLong();
        } else if (kind == FILE_OLDEST_BLOB) {
          oldestBlob = fields.nested().varint();
        } else if ((kind & FILE_NOT_IGNORABLE) != 0 && kind != FILE_PATH) {
          throw new Unreadable("a file has the unknown tag " + kind);
        } else {
          fields.skipString();
        }
      }
    }
    file(number, size);
    tables.add(new Table(level, number, size, smallest, largest, oldestBlob));
  }

  private void blobFile(Fields fields, boolean added) {
    long number = fields.varint();
    int sign = added ? 1 : -1;
    file(number, NONE);
    blobs.add(new Blob(number, sign * fields.varint(), sign * fields.varint()));
    if (added) {
      fields.skipString(); // the kind of checksum
      fields.skipString();
    }
    for (int tag = fields.smallNumber(); tag != BLOB_END; tag = fields.smallNumber()) {
      if ((tag & BLOB_NOT_IGNORABLE) != 0) {
        throw new Unreadable("a blob file has the unknown tag " + tag);
      }
      fields.skipString();
    }
  }

  private void logAddition(Fields fields) {
    trackedLog = fields.varint();
    for (int tag = fields.smallNumber(); tag != LOG_END; tag = fields.smallNumber()) {
      if (tag != LOG_SYNCED_SIZE) {
        throw new Unreadable("a log has the unknown tag " + tag);
      }
      fields.varint();
    }
  }

  private void file(long number, long size) {
    files.merge(number, size, Long::max);
  }
}
