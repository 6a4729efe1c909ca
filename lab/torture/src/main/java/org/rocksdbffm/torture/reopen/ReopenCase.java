/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.reopen;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.CompactionStyle;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.KeyReader;
import org.rocksdbffm.Opening;
import org.rocksdbffm.PrefixExtractor;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.WriteOptions;
import org.rocksdbffm.torture.world.Folders;

/**
 * A database that is opened repeatedly with changes: other options, families, comparators or merge operators,
 * read-only, after a close or after a crash, with missing files. Each opening is rejected for the expected reason, or
 * the rows are equal to the model. An opening with the settings of the last session must succeed.
 */
final class ReopenCase {
  private static final int SESSIONS = 14;
  private static final List<String> LOG_FOLDERS = List.of("", "logs1", "logs2");

  /** Numbers of sessions, by outcome. */
  static final class Tally {
    int sessions;
    int refused;
    int readOnly;
    int crashes;
    int withoutOptions;
    int damaged;
    long rows;

    @Override
    public String toString() {
      return sessions + " sessions, " + refused + " refused, " + readOnly + " for reading alone, " + crashes
          + " ended without a close, " + withoutOptions + " without an OPTIONS file, " + damaged
              + " with a damaged log, " + rows + " rows compared with the model";
    }
  }

  /** An undocumented outcome. */
  static final class Wrong extends RuntimeException {
    private static final long serialVersionUID = 1;

    Wrong(String message, Throwable cause) {
      super(message, cause);
    }
  }

  private final Random random;
  private final Path folder;
  private final Path kept;
  private final Tally tally;
  private final Map<String, Family> families = new LinkedHashMap<>();
  private final List<String> steps = new ArrayList<>();
  private String logs = ""; // the WAL folder, relative to the database
  private boolean knowsOptions = true;
  private boolean isThere;
  private int names;
  private long number = -1; // the last sequence number; -1 after damage of a WAL

  /** The settings of a family in a session; the merge operator and the comparator are null if not set. */
  private record Choice(Merging merging, Order order, FamilyOptions options) {}

  ReopenCase(long seed, Path parent, Tally tally) {
    this.random = new Random(seed);
    this.folder = parent.resolve("db");
    this.kept = parent.resolve("kept");
    this.tally = tally;
    families.put(RocksDb.DEFAULT_COLUMN_FAMILY, new Family(RocksDb.DEFAULT_COLUMN_FAMILY, oneOf(Order.values())));
  }

  void run() throws IOException {
    for (int i = 0; i < SESSIONS; i++) {
      try {
        session(random.nextInt(3) == 0);
      } catch (RuntimeException e) {
        throw e instanceof Wrong ? e : new Wrong(String.join("\n", steps) + "\n" + e, e);
      }
    }
    steps.add("as it was written last");
    if (isThere) {
      open(asWritten(), logs, false, false).close();
    }
  }

  private void session(boolean asWritten) throws IOException {
    tally.sessions++;
    boolean readOnly = isThere && random.nextInt(4) == 0;
    String logFolder =
        isThere && (asWritten || random.nextInt(3) > 0) ? logs : oneOf(LOG_FOLDERS.toArray(String[]::new));
    Map<String, Choice> choices = asWritten || !isThere ? asWritten() : choices();
    steps.add((readOnly ? "for reading alone" : "open") + ", logs in '" + logFolder + "', " + describe(choices));
    RocksDb opened = open(choices, logFolder, readOnly, !asWritten && isThere);
    if (opened == null) {
      return;
    }
    boolean crash;
    long latest;
    try (RocksDb db = opened) {
      requireRows(db);
      if (isThere && logFolder.equals(logs)) {
        requireNumber(db);
      }
      if (readOnly) {
        tally.readOnly++;
        return;
      }
      isThere = true;
      logs = logFolder;
      knowsOptions = true;
      for (Family family : families.values()) {
        Choice choice = choices.get(family.name);
        family.merging = choice.merging == null ? family.merging : choice.merging;
      }
      use(db);
      latest = db.files().latestSequenceNumber();
      number = latest;
      crash = random.nextInt(3) == 0;
      if (crash) {
        if (oneIn(2) && families.size() < 5) {
          create(db); // the newest OPTIONS file, which may be lost, is the first with this family
        }
        keepAsACrashWould(db);
      }
    }
    if (crash) {
      tally.crashes++;
      steps.add("as if it had ended there, without a close");
      putBack();
      harmAfterCrash(latest);
      number = -1;
    }
    harm();
  }

  private Map<String, Choice> asWritten() {
    Map<String, Choice> choices = new LinkedHashMap<>();
    for (Family family : families.values()) {
      choices.put(family.name, new Choice(family.merging, family.order, others(false)));
    }
    return choices;
  }

  /** Returns settings for all families, mostly the current ones or none, sometimes others. */
  private Map<String, Choice> choices() {
    Map<String, Choice> choices = new LinkedHashMap<>();
    for (Family family : families.values()) {
      Merging merging = oneIn(3) ? null : oneIn(5) ? another(family.merging) : family.merging;
      Order order = oneIn(3) ? null : oneIn(12) ? oneOf(Order.values()) : family.order;
      choices.put(family.name, new Choice(merging, order, others(isThere)));
    }
    return choices;
  }

  /** Returns a merge operator, often the current one with another delimiter. */
  private Merging another(Merging merging) {
    return merging == Merging.APPEND && oneIn(2) ? Merging.APPEND_OTHERWISE : oneOf(Merging.values());
  }

  /** Returns random options that do not change the results of reads. */
  private FamilyOptions others(boolean mayDeleteOldRows) {
    FamilyOptions options = FamilyOptions.defaults().disableAutoCompactions(random.nextBoolean());
    if (oneIn(2)) {
      options = options.enableBlobFiles(true).option("min_blob_size", random.nextInt(200));
    }
    if (oneIn(3)) {
      options = options.prefixExtractor(PrefixExtractor.fixed(1 + random.nextInt(8)));
    }
    if (oneIn(3)) {
      options =
          options.compactionStyle(mayDeleteOldRows && oneIn(6) ? CompactionStyle.FIFO : CompactionStyle.UNIVERSAL);
    }
    if (oneIn(3)) {
      options = options.option("write_buffer_size", 64 << 10);
    }
    return options;
  }

  private DatabaseOptions ofDatabase(boolean readOnly) {
    DatabaseOptions options = DatabaseOptions.defaults();
    for (String name : List.of("avoid_flush_during_recovery", "track_and_verify_wals_in_manifest", "atomic_flush")) {
      if (!readOnly && oneIn(3)) {
        options = options.option(name, true);
      }
    }
    if (!readOnly && oneIn(3)) {
      options = options.option("recycle_log_file_num", 2);
    }
    if (!readOnly && oneIn(3)) {
      options = options.option("wal_compression", "kZSTD");
    }
    return oneIn(4) ? options.maxOpenFiles(20) : options;
  }

  private static String describe(Map<String, Choice> choices) {
    StringBuilder text = new StringBuilder();
    choices.forEach((name, choice) ->
        text.append(name).append(": ").append(choice.merging).append(' ').append(choice.order).append(' ')
            .append(choice.options).append(", "));
    return text.toString();
  }

  private Opening opening(Map<String, Choice> choices, String logFolder, boolean readOnly) {
    Map<String, FamilyOptions> options = new LinkedHashMap<>();
    choices.forEach((name, choice) -> {
      FamilyOptions familyOptions = choice.merging == null ? choice.options : choice.merging.in(choice.options);
      options.put(name, choice.order == null ? familyOptions : choice.order.in(familyOptions));
    });
    DatabaseOptions ofDatabase = ofDatabase(readOnly);
    if (!logFolder.isEmpty()) {
      ofDatabase = ofDatabase.option("wal_dir", folder.resolve(logFolder));
    }
    return RocksDb.at(folder).options(ofDatabase).families(options);
  }

  /** Opens the database; null if it was rejected. Fails if a rejection has no expected reason, or is missing. */
  private RocksDb open(Map<String, Choice> choices, String logFolder, boolean readOnly, boolean mayBeRefused) {
    String reason = mayBeRefused ? reason(choices, logFolder, readOnly) : null;
    try {
      Opening opening = opening(choices, logFolder, readOnly);
      RocksDb db = readOnly ? opening.openReadOnly() : opening.open();
      if (reason != null && reason.startsWith("must")) {
        db.close();
        throw new Wrong(String.join("\n", steps) + "\nopened, and " + reason, null);
      }
      return db;
    } catch (RocksDbException e) {
      if (reason == null || e.code() != Code.INVALID_ARGUMENT) {
        throw new Wrong(String.join("\n", steps) + "\n" + (reason == null ? "nothing to refuse" : reason) + ": " + e,
            e);
      }
      tally.refused++;
      steps.add("refused: " + e.getMessage());
      return null;
    }
  }

  /** Returns why the opening may or must be rejected; null if it must succeed. */
  private String reason(Map<String, Choice> choices, String logFolder, boolean readOnly) {
    String may = logFolder.equals(logs) ? null : "may be refused for other logs";
    for (Family family : families.values()) {
      Choice choice = choices.get(family.name);
      boolean sameOrder = choice.order == null ? family.order != Order.IN_JAVA : choice.order == family.order;
      if (!sameOrder) {
        return "must be refused for the order of " + family.name;
      }
      if (knowsOptions && family.merging != null && choice.merging != null && choice.merging != family.merging) {
        return "must be refused for another operator of " + family.name;
      }
      if (knowsOptions && family.merging != null && choice.merging == null && !family.merging.isMadeByTheEngine()) {
        return "must be refused for the lack of the operator of " + family.name;
      }
      boolean fifo = CompactionStyle.FIFO.id().equals(choice.options.settings().get("compaction_style"));
      if (knowsOptions && fifo) {
        return "must be refused for deleting old rows of " + family.name;
      }
    }
    return may;
  }

  private void requireRows(RocksDb db) {
    for (Family family : families.values()) {
      KeyReader reader = db.family(family.name);
      String difference = family.difference(reader);
      if (difference != null) {
        throw new Wrong(String.join("\n", steps) + "\n" + difference, null);
      }
      tally.rows += family.rows.size();
    }
  }

  /** Checks that no sequence number is reused: a reader of the WAL would miss the second write. */
  private void requireNumber(RocksDb db) {
    long there = db.files().latestSequenceNumber();
    if (number >= 0 && there != number) {
      throw new Wrong(String.join("\n", steps) + "\nthe last sequence number is " + there + ", and was " + number,
          null);
    }
  }

  private void use(RocksDb db) {
    int works = random.nextInt(60);
    for (int i = 0; i < works; i++) {
      Family family = oneOf(families.values().toArray(Family[]::new));
      ColumnFamily opened = db.family(family.name);
      family.write(oneIn(4) ? opened.with(WriteOptions.defaults().sync(true)) : opened, family.merging, random);
      if (oneIn(12)) {
        opened.flush();
        steps.add("flush " + family.name);
      }
      if (oneIn(40)) {
        opened.compact(KeyRange.all());
      }
    }
    steps.add(works + " writes");
    if (oneIn(4) && families.size() < 4) {
      Family made = create(db);
      for (int i = 0; i < 10; i++) {
        made.write(db.family(made.name), made.merging, random);
      }
    }
    if (oneIn(8) && families.size() > 1) {
      Family dropped = oneOf(families.values().stream().skip(1).toArray(Family[]::new));
      db.dropFamily(db.family(dropped.name));
      families.remove(dropped.name);
      steps.add("drop " + dropped.name);
    }
  }

  private Family create(RocksDb db) {
    Family made = new Family("family" + names++, oneOf(Order.values()));
    made.merging = oneIn(3) ? null : oneOf(Merging.values());
    FamilyOptions options = made.order.in(others(false).compactionStyle(CompactionStyle.LEVEL));
    db.createFamily(made.name, made.merging == null ? options : made.merging.in(options));
    families.put(made.name, made);
    steps.add("create " + made.name + ": " + made.merging + " " + made.order);
    return made;
  }

  /** Copies all files while nothing runs in the background: the state after a crash of the process. */
  private void keepAsACrashWould(RocksDb db) throws IOException {
    db.families().forEach(family -> family.setOptions(Map.of("disable_auto_compactions", "true")));
    while (!isQuiet(db)) {
      Thread.yield();
    }
    keep();
  }

  private static boolean isQuiet(RocksDb db) {
    for (String running : List.of("rocksdb.num-running-flushes", "rocksdb.num-running-compactions")) {
      if (db.metrics().longProperty(running).orElse(0) > 0) {
        return false;
      }
    }
    return db.families().stream()
        .allMatch(family -> family.metrics().longProperty("rocksdb.mem-table-flush-pending").orElse(0) == 0);
  }

  /**
   * Sometimes deletes the newest OPTIONS file, as if the process had ended before it was written, or flips a bit of the
   * last WAL.
   */
  private void harmAfterCrash(long latest) throws IOException {
    if (oneIn(3)) {
      Files.delete(newest(folder, "OPTIONS-"));
      steps.add("without the newest OPTIONS file");
      tally.withoutOptions++;
      try (RocksDb db = open(asWritten(), logs, false, false)) {
        requireRows(db);
      }
    } else if (oneIn(2)) {
      damageNewestLog(latest);
    }
  }

  /** Flips a bit of the newest WAL: the opening must be rejected as corrupt, or lack at most the last write. */
  private void damageNewestLog(long latest) throws IOException {
    Path log = newest(logs.isEmpty() ? folder : folder.resolve(logs), ".log");
    if (log == null) {
      return;
    }
    keep();
    byte[] bytes = Files.readAllBytes(log);
    int at = random.nextInt(bytes.length);
    int bit = random.nextInt(Byte.SIZE);
    bytes[at] ^= (byte) (1 << bit);
    Files.write(log, bytes);
    steps.add("bit " + bit + " of byte " + at + " of " + log.getFileName() + " changed");
    tally.damaged++;
    try (RocksDb db = opening(asWritten(), logs, false).open()) {
      long recovered = db.files().latestSequenceNumber();
      if (recovered < latest - 1) {
        throw new Wrong(String.join("\n", steps) + "\nopened up to the write " + recovered + " of " + latest, null);
      }
    } catch (RocksDbException e) {
      if (e.code() != Code.CORRUPTION || !e.getMessage().contains(log.getFileName() + " is damaged at byte ")) {
        throw e;
      }
    }
    putBack();
  }

  /** Returns the newest nonempty file with a text in its name; null if none. */
  private static Path newest(Path folder, String words) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.getFileName().toString().contains(words) && file.toFile().length() > 0)
          .max(Comparator.comparing(file -> file.getFileName().toString()))
          .orElse(null);
    }
  }

  /** Sometimes opens the database without its OPTIONS files. */
  private void harm() throws IOException {
    if (oneIn(8)) {
      openWithoutOptions();
    }
  }

  /** Without OPTIONS files, any merge operator is accepted, and only reads of operands in tables fail without one. */
  private void openWithoutOptions() throws IOException {
    keep();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(each -> each.getFileName().toString().startsWith("OPTIONS-")).toList()) {
        Files.delete(file);
      }
    }
    steps.add("without OPTIONS files");
    tally.withoutOptions++;
    Map<String, FamilyOptions> options = new LinkedHashMap<>();
    asWritten().forEach((name, choice) -> options.put(name, choice.order.in(FamilyOptions.defaults())));
    DatabaseOptions ofDatabase = DatabaseOptions.defaults();
    if (!logs.isEmpty()) {
      ofDatabase = ofDatabase.option("wal_dir", folder.resolve(logs));
    }
    try (RocksDb db = RocksDb.at(folder).options(ofDatabase).families(options).open()) {
      try {
        requireRows(db);
      } catch (RocksDbException e) {
        // expected for operands in tables: each read reports the missing operator
      }
    } catch (RocksDbException e) {
      if (e.code() != Code.INVALID_ARGUMENT) {
        throw e;
      }
      putBack();
      return;
    }
    // With the merge operators, no row is lost.
    try (RocksDb db = open(asWritten(), logs, false, false)) {
      requireRows(db);
    }
    putBack();
  }

  private void keep() throws IOException {
    Folders.delete(kept);
    Trees.copy(folder, kept);
  }

  private void putBack() throws IOException {
    Folders.delete(folder);
    Files.move(kept, folder, StandardCopyOption.ATOMIC_MOVE);
  }

  private boolean oneIn(int times) {
    return random.nextInt(times) == 0;
  }

  private <T> T oneOf(T[] all) {
    return all[random.nextInt(all.length)];
  }
}
