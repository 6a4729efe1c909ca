/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.Function;
import org.rocksdbffm.internal.db.Database;
import org.rocksdbffm.internal.db.DatabaseOpener;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.folder.FolderPath;
import org.rocksdbffm.internal.folder.StoredDatabase;
import org.rocksdbffm.internal.options.DatabaseKind;
import org.rocksdbffm.internal.settings.LockSetting;
import org.rocksdbffm.internal.settings.NativeOptions;

/** Opens a database with what users say of its options and what its files say. */
final class Opening {
  private static final String NEVER = Long.toString(Long.MAX_VALUE / 4); // the engine adds the time of day

  private final DatabaseKind kind;
  private final Path folder;
  private final Options options;
  private final Map<String, Options> columnFamilies;
  private final Map<LockSetting, Long> lockSettings;
  private final FolderPath secondary;

  /**
   * An opening of a database as one of a kind.
   *
   * @param options for the database, and for each family that is not named
   * @param columnFamilies the options of all families; null for all that there are, with the same options
   * @param lockSettings for a database with locks; otherwise empty
   * @param secondary the folder of a secondary's own files; otherwise null
   */
  Opening(
      DatabaseKind kind,
      Path folder,
      Options options,
      Map<String, Options> columnFamilies,
      Map<LockSetting, Long> lockSettings,
      FolderPath secondary) {
    this.kind = kind;
    this.folder = folder;
    this.options = options;
    this.columnFamilies = columnFamilies;
    this.lockSettings = lockSettings;
    this.secondary = secondary;
  }

  static Opening of(DatabaseKind kind, Path folder, Options options, Map<String, Options> columnFamilies) {
    return new Opening(kind, folder, options, columnFamilies, Map.of(), null);
  }

  static Opening ofSecondary(Path folder, Path secondary, Options options, Map<String, Options> columnFamilies) {
    FolderPath own = FolderPath.of("secondaryFolder", secondary);
    return new Opening(DatabaseKind.SECONDARY, folder, options, columnFamilies, Map.of(), own);
  }

  /** Opens it, and hands it to the object that users get; closes it if that cannot be made. */
  <T> T into(Function<Opened, T> maker) {
    Opened opened = open();
    try {
      return maker.apply(opened);
    } catch (Throwable e) {
      opened.database.close();
      throw e;
    }
  }

  private Opened open() {
    FolderPath path = FolderPath.of(folder);
    requireNonNull(options, "options");
    if (secondary != null) {
      requireApart(path, secondary);
    }
    StoredDatabase stored = DatabaseOpener.settled(path, () -> StoredDatabase.in(path.path(), options.settings()));
    Map<String, Options> named = new LinkedHashMap<>();
    if (columnFamilies != null) {
      named.putAll(columnFamilies);
    } else if (stored != null) {
      families(path, stored).forEach(name -> named.put(name, options));
    }
    for (var family : named.entrySet()) {
      Views.familyName("columnFamilies", requireNonNull(family.getKey(), "columnFamilies: a name is null"));
      if (family.getValue() == null) {
        throw new NullPointerException("columnFamilies: the options of " + family.getKey() + " are null");
      }
    }
    named.putIfAbsent(NativeFamily.DEFAULT, options);
    return open(path, stored == null ? options : settle(path, stored, named), named);
  }

  private static void requireApart(FolderPath path, FolderPath secondary) {
    if (secondary.path().normalize().equals(path.path().normalize()) || Files.exists(secondary.path().resolve("CURRENT"))) {
      throw new IllegalArgumentException(
          "secondaryFolder: " + secondary + " is the folder of a database, whose log of messages it would move away; name a new one");
    }
  }

  /** Takes from what is stored what would lose rows otherwise, and refuses the rest; the result is for the database. */
  private Options settle(FolderPath path, StoredDatabase stored, Map<String, Options> named) {
    Set<String> replaced = options.ofFamily(NativeFamily.DEFAULT).replaced();
    Map<String, String> ofDatabase = DatabaseOpener.settled(path, () -> stored.requireWhole(kind, replaced));
    boolean isOfDefaultToo = named.get(NativeFamily.DEFAULT) == options;
    named.replaceAll((name, its) -> with(its, DatabaseOpener.settled(path, () -> stored.requireFamily(its.ofFamily(name), true))));
    Options settled = with(isOfDefaultToo ? named.get(NativeFamily.DEFAULT) : options, ofDatabase);
    return kind == DatabaseKind.SECONDARY ? ofSecondary(settled) : settled;
  }

  private static Options with(Options options, Map<String, String> taken) {
    Options settled = options;
    for (var its : taken.entrySet()) {
      settled = settled.with(its.getKey(), its.getValue(), true); // the engine has written it
    }
    return settled;
  }

  /**
   * A secondary looks for files to delete, and would archive or delete some of the primary's; and it takes over what is
   * prepared in the log when it is committed.
   */
  private static Options ofSecondary(Options options) {
    return options
        .with("delete_obsolete_files_period_micros", NEVER, true)
        .with("WAL_ttl_seconds", "0", true)
        .with("WAL_size_limit_MB", "0", true)
        .with("allow_2pc", "true", true);
  }

  private Opened open(FolderPath path, Options options, Map<String, Options> named) {
    List<NativeOptions> made = new ArrayList<>();
    List<NativeFamily> opened = new ArrayList<>();
    try {
      NativeOptions databaseOptions = toNative(options, made);
      SequencedMap<String, NativeOptions> families = new LinkedHashMap<>();
      families.put(NativeFamily.DEFAULT, null); // it is the first
      // The engine makes a block cache along with options: families with the same ones share it, as they do when created.
      // They are told by identity: to compare records for the first time keeps their class loader alive in the JDK.
      Map<Options, NativeOptions> alike = new IdentityHashMap<>(Map.of(options, databaseOptions));
      named.putIfAbsent(NativeFamily.DEFAULT, options);
      for (var family : named.entrySet()) {
        NativeOptions its = alike.get(family.getValue());
        if (its == null) {
          its = toNative(family.getValue(), made);
          if (!its.isOrderedInJava()) { // each of those lets its own family compact once all are open
            alike.put(family.getValue(), its);
          }
        }
        families.put(family.getKey(), its);
      }
      Database database = DatabaseOpener.open(new DatabaseOpener.Opening(path, kind, lockSettings, secondary), databaseOptions, families, opened);
      try {
        return new Opened(path.path(), database, opened);
      } catch (Throwable e) {
        database.close();
        throw e;
      }
    } finally {
      made.forEach(NativeOptions::close);
    }
  }

  private NativeOptions toNative(Options options, List<NativeOptions> made) {
    NativeOptions its = options.toNative(kind);
    made.add(its);
    return its;
  }

  /** The column families of a database that is there. */
  private static List<String> families(FolderPath path, StoredDatabase stored) {
    List<String> families = stored.families();
    return families == null ? DatabaseOpener.families(path) : families;
  }
}
