/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.opening;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.folder.DatabaseFolders;
import org.rocksdbffm.internal.folder.FolderPath;
import org.rocksdbffm.internal.options.DatabaseKind;
import org.rocksdbffm.internal.settings.LockSetting;
import org.rocksdbffm.internal.settings.NativeOptions;

/** A database to open, with its options, which this <em>owns</em>. Not thread-safe. */
public final class Request implements AutoCloseable {
  final FolderPath path;

  /** The path without links, which is passed to the engine; resolved once, because links may change. */
  final FolderPath real;
  final DatabaseKind kind;
  final Map<LockSetting, Long> locks;
  final NativeOptions options;

  /** The options by family; the default family is the first. */
  final SequencedMap<String, NativeOptions> families = new LinkedHashMap<>();

  private final List<NativeOptions> owned = new ArrayList<>();

  /**
   * Creates a request for the default family.
   *
   * @param locks lock settings of pessimistic transactions; otherwise empty
   * @param options of the database, and of the default family unless {@link #add} replaces them
   */
  public Request(FolderPath path, DatabaseKind kind, Map<LockSetting, Long> locks, NativeOptions options) {
    this(path, path.real(), kind, locks, options);
  }

  /** Creates a request with a path that was resolved before. */
  public Request(FolderPath path, FolderPath real, DatabaseKind kind, Map<LockSetting, Long> locks, NativeOptions options) {
    this.path = path;
    this.real = real;
    this.kind = kind;
    this.locks = locks;
    this.options = own(options);
    families.put(NativeFamily.DEFAULT, options);
  }

  /** Takes ownership of options. */
  public NativeOptions own(NativeOptions made) {
    owned.add(made);
    return made;
  }

  /** Returns the database options. */
  public NativeOptions options() {
    return options;
  }

  /** Returns the kind of database. */
  public DatabaseKind kind() {
    return kind;
  }

  /** Adds a family, with options that this owns. */
  public void add(String family, NativeOptions familyOptions) {
    families.put(family, familyOptions);
  }

  /** Whether the database is written, and a family has a Java comparator. */
  boolean writesInJavaOrder() {
    for (NativeOptions familyOptions : families.values()) {
      if (familyOptions.isOrderedInJava()) {
        return !kind.isForReading();
      }
    }
    return false;
  }

  /** Returns the folders that the options name for a database in {@code folder}. */
  DatabaseFolders.Named folders(Path folder) {
    Set<Path> tables = new LinkedHashSet<>(options.paths());
    for (NativeOptions familyOptions : families.values()) {
      tables.addAll(familyOptions.paths());
    }
    return new DatabaseFolders.Named(List.copyOf(tables), options.logFolder(folder), options.messageFolder(folder));
  }

  /** Throws if a comparator failed while the engine recovered the database. */
  void requireSound() {
    for (NativeOptions familyOptions : families.values()) {
      familyOptions.requireSound(path.toString());
    }
  }

  @Override
  public void close() {
    for (NativeOptions familyOptions : owned) {
      familyOptions.close();
    }
  }
}
