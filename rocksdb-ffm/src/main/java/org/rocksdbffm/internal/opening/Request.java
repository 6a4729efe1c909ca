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

/** A database that is to be opened, and with which options, which are <em>owned</em> by this. Used by one thread. */
public final class Request implements AutoCloseable {
  final FolderPath path;
  final DatabaseKind kind;
  final Map<LockSetting, Long> locks;
  final NativeOptions options;

  /** The default one is the first. */
  final SequencedMap<String, NativeOptions> families = new LinkedHashMap<>();

  private final List<NativeOptions> owned = new ArrayList<>();

  /**
   * A request that names no families.
   *
   * @param locks for a database with locks; otherwise empty
   * @param options of the database, and of its default family unless that gets others
   */
  public Request(FolderPath path, DatabaseKind kind, Map<LockSetting, Long> locks, NativeOptions options) {
    this.path = path;
    this.kind = kind;
    this.locks = locks;
    this.options = own(options);
    families.put(NativeFamily.DEFAULT, options);
  }

  /** Takes over options. */
  public NativeOptions own(NativeOptions made) {
    owned.add(made);
    return made;
  }

  /** Those of the database. */
  public NativeOptions options() {
    return options;
  }

  /** As which it is opened. */
  public DatabaseKind kind() {
    return kind;
  }

  /** Names a family, with options that this owns. */
  public void add(String family, NativeOptions its) {
    families.put(family, its);
  }

  /** The folders that the options name for a database in a folder. */
  DatabaseFolders.Named folders(Path folder) {
    Set<Path> tables = new LinkedHashSet<>(options.paths());
    families.values().forEach(its -> tables.addAll(its.paths()));
    return new DatabaseFolders.Named(List.copyOf(tables), options.logFolder(folder), options.messageFolder(folder));
  }

  /** Throws if a comparator did while the engine read back what is stored. */
  void requireSound() {
    families.values().forEach(its -> its.requireSound(path.toString()));
  }

  @Override
  public void close() {
    owned.forEach(NativeOptions::close);
  }
}
