/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.options;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.MergeOperator;
import org.rocksdbffm.Opening;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.torture.options.OptionCase.Setting;
import org.rocksdbffm.torture.options.OptionCase.Where;

/**
 * Runs a case in this JVM: creates a database with options, runs the workload, changes options while it is open,
 * reopens it with other options, and read-only, and checks all rows after each step. Rejected options are omitted.
 */
final class OptionCaseRun {
  private static final String OTHER = "other";

  /** The options that are set without the library's checks, {@code *} for all, to test whether the sweep finds them. */
  static final String UNCHECKED = System.getProperty("torture.options.unchecked", "");

  private final OptionCase run;
  private final Path folder;
  private final Progress progress;
  private final Work work;
  private Chosen sound;
  private Model model;
  private Model otherModel;

  OptionCaseRun(OptionCase run, Path folder, Progress progress) {
    this.run = run;
    this.folder = folder;
    this.progress = progress;
    boolean merges = run.settings().stream().noneMatch(setting -> setting.name().strip().equals("merge_operator"));
    work = new Work(run.work(), merges, progress);
    FamilyOptions options = FamilyOptions.defaults();
    sound = new Chosen(DatabaseOptions.defaults(), merges
        ? options.mergeOperator(MergeOperator.stringAppend(Work.DELIMITER)) : options);
  }

  void go() {
    List<Setting> created = run.of(Where.CREATE);
    try (RocksDb db = openOrWithout(created)) {
      boolean backwards = sound.families.settings().getOrDefault("comparator", "").contains("Reverse");
      model = new Model(backwards, mayLose());
      otherModel = new Model(backwards, mayLose());
      work(db, run.of(Where.LIVE));
    }
    try (RocksDb db = openOrWithout(run.of(Where.REOPEN))) {
      checkAll(db);
      work(db, List.of());
    }
    readOnly();
    try (RocksDb db = open(sound)) {
      checkAll(db);
    }
  }

  /** Whether rows may disappear: by FIFO compaction, a filter that removes empty values, or another merge operator. */
  private boolean mayLose() {
    return run.settings().stream()
        .anyMatch(
            setting ->
                setting.value().contains("FIFO")
                    || setting.name().contains("fifo")
                    || setting.value().contains("RemoveEmptyValue")
                    || setting.name().strip().equals("merge_operator"));
  }

  private RocksDb openOrWithout(List<Setting> settings) {
    try {
      Chosen options = with(sound, settings);
      RocksDb db = open(options);
      sound = options;
      progress.opened();
      return db;
    } catch (IllegalArgumentException | RocksDbException e) {
      progress.refused(e);
      return open(sound);
    }
  }

  /** The options of the database and of its two families. */
  private record Chosen(DatabaseOptions database, FamilyOptions families) {
    Opening at(Path folder) {
      return RocksDb.at(folder.resolve("db")).options(database).defaults(families).family(OTHER, families);
    }

    Chosen with(Setting setting, String value) {
      String name = setting.name();
      boolean past = isUnchecked(setting);
      if (setting.ofDatabase()) {
        return new Chosen(past ? database.unchecked(name, value) : database.option(name, value), families);
      }
      return new Chosen(database, past ? families.unchecked(name, value) : families.option(name, value));
    }
  }

  private RocksDb open(Chosen options) {
    RocksDb db = options.at(folder).open();
    progress.made();
    return db;
  }

  private Chosen with(Chosen base, List<Setting> settings) {
    Chosen changed = base;
    for (Setting setting : settings) {
      changed = changed.with(setting, setting.value().replace(OptionCase.FOLDER, folder.toString()));
    }
    return changed;
  }

  private static boolean isUnchecked(Setting setting) {
    List<String> names = List.of(UNCHECKED.split(","));
    return names.contains("*") || names.contains(setting.name().substring(setting.name().indexOf('.') + 1));
  }

  private void work(RocksDb db, List<Setting> live) {
    int part = run.steps() / (live.size() + 1);
    goOn(db, part);
    for (Setting setting : live) {
      try {
        Map<String, String> change =
            Map.of(setting.name(), setting.value().replace(OptionCase.FOLDER, folder.toString()));
        if (setting.ofDatabase()) {
          db.setDatabaseOptions(change);
        } else {
          db.setOptions(change);
        }
        progress.changed();
      } catch (IllegalArgumentException | RocksDbException e) {
        progress.refused(e);
      }
      goOn(db, part);
    }
    checkAll(db);
  }

  private void goOn(RocksDb db, int steps) {
    work.go(db.family(RocksDb.DEFAULT_COLUMN_FAMILY), model, steps - steps / 4);
    work.go(db.family(OTHER), otherModel, steps / 4);
  }

  private void checkAll(RocksDb db) {
    for (ColumnFamily family : new ArrayList<>(db.families())) {
      work.checkAll(family, family.name().equals(OTHER) ? otherModel : model);
    }
  }

  private void readOnly() {
    for (List<Setting> settings : List.of(run.of(Where.READ_ONLY), List.<Setting>of())) {
      try {
        try (RocksDb db = with(sound, settings).at(folder).openReadOnly()) {
          progress.made();
          checkAll(db);
          return;
        }
      } catch (IllegalArgumentException | RocksDbException e) {
        progress.refused(e);
      }
    }
  }
}
