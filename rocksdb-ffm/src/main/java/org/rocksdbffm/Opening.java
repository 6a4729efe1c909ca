/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.db.Database;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.files.FolderMoment;
import org.rocksdbffm.internal.folder.FolderPath;
import org.rocksdbffm.internal.folder.Refused;
import org.rocksdbffm.internal.folder.StoredDatabase;
import org.rocksdbffm.internal.opening.DatabaseOpener;
import org.rocksdbffm.internal.opening.FamilyNames;
import org.rocksdbffm.internal.opening.Request;
import org.rocksdbffm.internal.opening.Steps;
import org.rocksdbffm.internal.options.DatabaseKind;
import org.rocksdbffm.internal.settings.LockSetting;
import org.rocksdbffm.internal.settings.NativeOptions;


/** Opens a database with what users say of its options and what its files say. */
final class Opening {
  private static final int ATTEMPTS = 50; // while another process changes the files

  private final DatabaseKind kind;
  private final Path folder;
  private final Options options;
  private final Map<String, Options> columnFamilies;
  private final Map<LockSetting, Long> lockSettings;

  /**
   * An opening of a database as one of a kind.
   *
   * @param options for the database, and for each family that is not named
   * @param columnFamilies the options of all families; null for all that there are, with the same options
   * @param lockSettings for a database with locks; otherwise empty
   */
  Opening(
      DatabaseKind kind,
      Path folder,
      Options options,
      Map<String, Options> columnFamilies,
      Map<LockSetting, Long> lockSettings) {
    this.kind = kind;
    this.folder = folder;
    this.options = options;
    this.columnFamilies = columnFamilies;
    this.lockSettings = lockSettings;
  }

  static Opening of(DatabaseKind kind, Path folder, Options options, Map<String, Options> columnFamilies) {
    return new Opening(kind, folder, options, columnFamilies, Map.of());
  }

  /** Opens it, and hands it to the object that users get; closes it if that cannot be made. */
  <T> T into(Function<Opened, T> maker) {
    requireNonNull(options, "options");
    FolderPath path = FolderPath.of(folder);
    Opened opened = kind.isForReading() ? atOneMoment(path) : opened(path, null);
    try {
      return maker.apply(opened);
    } catch (Throwable e) {
      opened.database.close();
      throw e;
    }
  }

  /**
   * Opens it again if another database object has changed its files meanwhile: it may have deleted a log whose rows were not
   * in tables yet when the MANIFEST was read, of which the engine says nothing, and a table, of which it does.
   */
  private Opened atOneMoment(FolderPath path) {
    for (int left = ATTEMPTS;; left--) {
      FolderMoment before = moment();
      try {
        Opened opened = opened(path, before);
        if (before.lastsUntil(moment())) {
          return opened;
        }
        opened.database.close();
      } catch (RocksDbException e) {
        if (left == 0 || before.equals(moment())) {
          throw e;
        }
      }
      if (left == 0) {
        throw Status.parse("Operation failed. Try again.: its files were changed during each opening", "opening " + path);
      }
    }
  }

  /** The state of the files now. */
  FolderMoment moment() {
    return FolderMoment.of(folder, NativeOptions.logFolder(folder, options.settings()));
  }

  private Opened opened(FolderPath path, FolderMoment moment) {
    StoredDatabase stored = settled(path, () -> StoredDatabase.in(path.path(), options.settings()));
    Map<String, Options> families = families(path, stored);
    Options ofDatabase = stored == null ? options : settle(path, stored, families);
    try (Request request = new Request(path, kind, lockSettings, ofDatabase.toNative(kind));
        Steps steps = new Steps()) {
      addFamilies(request, ofDatabase, families);
      Database database = steps.taken(DatabaseOpener.open(request), Database::close);
      return steps.done(new Opened(path.path(), database, moment));
    }
  }

  private static <T> T settled(FolderPath path, Refused.Step<T> step) {
    return Refused.settled("opening " + path, step);
  }

  /** The options of all families that are to be opened. */
  private Map<String, Options> families(FolderPath path, StoredDatabase stored) {
    Map<String, Options> families = new LinkedHashMap<>();
    if (columnFamilies != null) {
      families.putAll(columnFamilies);
    } else if (stored != null) {
      List<String> known = stored.families();
      (known == null ? FamilyNames.in(path) : known).forEach(name -> families.put(name, options));
    }
    for (var family : families.entrySet()) {
      Views.familyName("columnFamilies", requireNonNull(family.getKey(), "columnFamilies: a name is null"));
      if (family.getValue() == null) {
        throw new NullPointerException("columnFamilies: the options of " + family.getKey() + " are null");
      }
    }
    families.putIfAbsent(NativeFamily.DEFAULT, options);
    return families;
  }

  /** Takes from what is stored what would lose rows otherwise, and refuses the rest; the result is for the database. */
  private Options settle(FolderPath path, StoredDatabase stored, Map<String, Options> families) {
    Set<String> replaced = options.ofFamily(NativeFamily.DEFAULT).replaced();
    Map<String, String> ofDatabase = settled(path, () -> stored.requireWhole(kind, replaced));
    boolean isOfDefaultToo = families.get(NativeFamily.DEFAULT) == options;
    families.replaceAll((name, its) -> with(its, settled(path, () -> stored.requireFamily(its.ofFamily(name), true))));
    return with(isOfDefaultToo ? families.get(NativeFamily.DEFAULT) : options, ofDatabase);
  }

  private static Options with(Options options, Map<String, String> taken) {
    Options settled = options;
    for (var its : taken.entrySet()) {
      settled = settled.with(its.getKey(), its.getValue(), true); // the engine has written it
    }
    return settled;
  }

  /**
   * The engine makes a block cache along with options: families with the same ones share it, as they do when created. They
   * are known by identity: to compare records for the first time keeps their class loader alive in the JDK.
   */
  private void addFamilies(Request request, Options ofDatabase, Map<String, Options> families) {
    Map<Options, NativeOptions> alike = new IdentityHashMap<>(Map.of(ofDatabase, request.options()));
    families.forEach((name, options) -> {
      NativeOptions its = alike.get(options);
      if (its == null) {
        its = request.own(options.toNative(kind));
        if (!its.isOrderedInJava()) { // each of those lets its own family compact once all are open
          alike.put(options, its);
        }
      }
      request.add(name, its);
    });
  }
}
