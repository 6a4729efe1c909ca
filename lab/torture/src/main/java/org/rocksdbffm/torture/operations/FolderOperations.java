/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.operations;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.rocksdbffm.Backups;
import org.rocksdbffm.DatabaseFiles.Pause;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.Opening;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.folders.FolderUse.Call;
import org.rocksdbffm.folders.FolderUse.Way;
import org.rocksdbffm.torture.world.Attempt;
import org.rocksdbffm.torture.world.Operation;
import org.rocksdbffm.torture.world.WrongAnswer;
import org.rocksdbffm.torture.world.Yard;
import org.rocksdbffm.torture.world.Yard.Stored;

/** Calls with all paths of folders. Calls on folders in use are rejected, and no call changes another folder's rows. */
public final class FolderOperations {
  static final List<Operation> ALL =
      List.of(
          operation("folderOpen", 4, FolderOperations::open),
          operation("folderWrite", 4, FolderOperations::write),
          operation("folderClose", 1, FolderOperations::close),
          operation("folderAttack", 4, FolderOperations::attack),
          operation("folderRace", 1, FolderOperations::race),
          operation("folderCheckpoint", 1, FolderOperations::checkpoint),
          operation("folderBackup", 2, FolderOperations::backup),
          operation("folderRestore", 1, FolderOperations::restore));

  /** A second mount point of the cases' folder, if mounted. */
  private static final Path MOUNTED = Path.of(System.getProperty("torture.folder", "")).resolve("mounted");

  private static final Map<Call, List<String>> ELSEWHERE =
      Map.of(
          Call.OPEN, List.of("RocksDb", "open"),
          Call.DESTROY, List.of("RocksDb", "destroy"),
          Call.REPAIR, List.of("Repair", "of"),
          Call.BACKUPS, List.of("Backups", "open"));

  private FolderOperations() {}

  private interface Use {
    void run(Attempt attempt, Yard yard) throws IOException;
  }

  private interface Try {
    void run() throws IOException;
  }

  /** A class loader that loads the library a second time. */
  private static final class Elsewhere {
    static final ClassLoader LOADER =
        new URLClassLoader(
            Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator)).map(Elsewhere::url)
                .toArray(URL[]::new),
            ClassLoader.getPlatformClassLoader());

    private static URL url(String entry) {
      try {
        return new File(entry).toURI().toURL();
      } catch (MalformedURLException e) {
        throw new UncheckedIOException(e);
      }
    }

    static void run(Call call, Path folder) {
      try {
        List<String> names = ELSEWHERE.get(call);
        LOADER.loadClass("org.rocksdbffm." + names.get(0)).getMethod(names.get(1), Path.class).invoke(null, folder);
      } catch (InvocationTargetException e) {
        String refusal = e.getCause().toString();
        if (!refusal.contains("RocksDbException")) {
          throw new WrongAnswer("another class loader threw " + refusal, e);
        }
        throw new IllegalArgumentException(refusal, e);
      } catch (ReflectiveOperationException e) {
        throw new AssertionError(e);
      }
    }
  }

  private static Operation operation(String name, int weight, Use use) {
    return new Operation(
        name,
        weight,
        attempt -> {
          Yard yard = attempt.world.yard;
          synchronized (yard) {
            try {
              Files.createDirectories(yard.base);
              use.run(attempt, yard);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          }
        });
  }

  private static Integer any(Attempt attempt) {
    return attempt.random.nextInt(Yard.FOLDERS);
  }

  /** Returns an open database, or null. With {@code copied}, all its tables are in its folder. */
  private static Stored anyOpen(Attempt attempt, Yard yard, boolean copied) {
    List<Stored> open =
        yard.databases.values().stream().filter(each -> each.db != null && !(copied && each.named.get(1) != null))
            .toList();
    return open.isEmpty() ? null : attempt.oneOf(open);
  }

  private static Path path(Attempt attempt, Yard yard, Integer number) throws IOException {
    if (number == null) {
      return null;
    }
    Path folder = yard.folder(number);
    Way way = attempt.oneOf(List.of(Way.values()));
    return attempt.oneIn(5) && Files.exists(MOUNTED.resolve("mounted"))
        ? MOUNTED.resolve(MOUNTED.getParent().relativize(folder))
        : (way == Way.RENAMED || way == Way.LINK && Files.notExists(folder) ? Way.AS_IT_IS : way).of(folder);
  }

  private static Opening opening(Path folder, Attempt attempt, Yard yard, List<Integer> named) throws IOException {
    return Yard.opening(folder, path(attempt, yard, named.get(0)), path(attempt, yard, named.get(1)),
        path(attempt, yard, named.get(2)));
  }

  /**
   * Whether the call succeeded. Fails if the call succeeded although the folder is in use, or was rejected although it
   * must succeed.
   */
  private static boolean succeeds(Attempt attempt, Yard yard, String what, boolean inUse, boolean must,
      Try call) throws IOException {
    List<String> before = Arrays.asList(yard.base.toFile().list());
    try {
      call.run();
    } catch (RocksDbException | IllegalArgumentException e) {
      attempt.check(inUse || !must, what + " is refused: " + e);
      List<String> after = Arrays.asList(yard.base.toFile().list());
      attempt.check(before.containsAll(after)
          && after.containsAll(before), what + " was refused and left " + after + " of " + before);
      return false;
    }
    attempt.check(!inUse, what + " is not refused beside " + yard);
    return true;
  }

  private static void open(Attempt attempt, Yard yard) throws IOException {
    Integer own = any(attempt);
    Stored known = yard.databases.get(own);
    boolean asWritten = known != null && !attempt.oneIn(4);
    List<Integer> named = asWritten ? known.named : Arrays.asList(new Integer[3]);
    for (int i = 0; !asWritten && i < named.size(); i++) {
      named.set(i, attempt.oneIn(2) ? any(attempt) : null);
    }
    boolean inUse = yard.isInUse(own, false) || yard.isInUse(named.get(0), false) || yard.isInUse(named.get(1), false)
        || yard.isInUse(named.get(2), true);
    Stored opened = known == null ? new Stored(own, named, true) : known;
    Path path = path(attempt, yard, own);
    Opening opening = opening(path, attempt, yard, named);
    if (succeeds(attempt, yard, "opening " + path + " by " + opening, inUse, asWritten && known.mustOpen(),
        () -> opened.db = opening.open())) {
      opened.named = named;
      opened.mustOpen = true;
      yard.databases.put(own, opened);
      opened.check(opened.db, "opened");
    }
  }

  private static void write(Attempt attempt, Yard yard) {
    Stored stored = anyOpen(attempt, yard, false);
    if (stored == null) {
      return;
    }
    String row = String.valueOf(attempt.random.nextInt(100_000));
    stored.db.put(row.substring(0, 1).getBytes(), row.getBytes());
    stored.rows.put(row.substring(0, 1), row);
    if (attempt.oneIn(2)) {
      stored.db.flush();
    }
    if (attempt.oneIn(4)) {
      stored.db.compact(KeyRange.all());
    }
    stored.check(stored.db, "written");
  }

  /** Reads a database through another path, and closes it; a pinned value may keep it in use. */
  private static void close(Attempt attempt, Yard yard) throws IOException {
    Stored stored = attempt.oneIn(3) ? yard.databases.get(any(attempt)) : anyOpen(attempt, yard, false);
    if (stored == null) {
      return;
    }
    if (stored.db != null) {
      try (RocksDb db = opening(path(attempt, yard, stored.own), attempt, yard, stored.named).openReadOnly()) {
        stored.check(db, "read beside");
      }
    }
    boolean pins = attempt.oneIn(3) && stored.db != null && !stored.rows.isEmpty();
    if (pins && stored.pin == null) {
      stored.pin = stored.db.getPinned(stored.rows.firstKey().getBytes());
      stored.db.close();
      stored.db = null;
    } else {
      stored.close();
    }
  }

  private static void attack(Attempt attempt, Yard yard) throws IOException {
    Integer number = any(attempt);
    Call call = attempt.oneOf(List.of(Call.values()));
    boolean inUse = yard.isInUse(number, call == Call.DB_LOG_DIR);
    Path folder = yard.folder(number);
    boolean renames = attempt.oneIn(5) && Files.exists(folder) && inUse;
    List<Pause> pauses = renames ? yard.pauseWork() : List.of(); // a flush would not find the renamed folder
    Path path = renames ? Way.RENAMED.of(folder) : path(attempt, yard, number);
    Path free = attempt.world.newFolder();
    if (renames && yard.isOpenIn(number)) {
      Call taker = attempt.oneOf(List.of(Call.OPEN, Call.BACKUPS, Call.CHECKPOINT));
      succeeds(attempt, yard, taker + " by the name of what is open in " + path, true, true, () ->
          taker.run(folder, free));
    }
    boolean elsewhere = inUse && ELSEWHERE.containsKey(call) && attempt.oneIn(4);
    String what = call + " of " + path + (elsewhere ? " by another class loader" : "");
    boolean succeeds = succeeds(attempt, yard, what, inUse, false, () -> {
      if (elsewhere) {
        Elsewhere.run(call, path);
      } else {
        call.run(path, free);
      }
    });
    if (renames) {
      Files.move(path, folder);
      pauses.forEach(Pause::close);
    }
    if (succeeds) {
      happened(call, number, yard);
    }
    RocksDb.destroy(free);
  }

  private static void happened(Call call, Integer folder, Yard yard) {
    if (call == Call.DESTROY) {
      yard.databases.remove(folder);
    } else if (call == Call.OPEN || call == Call.CHECKPOINT) {
      Stored known = yard.databases.putIfAbsent(folder, new Stored(folder, Arrays.asList(new Integer[3]), true));
      if (known != null && known.named.get(1) != null) {
        known.mustOpen = false; // its first tables may be in its own folder now, not in the folder for tables
      }
    }
  }

  /** Opens a database and writes, while another thread makes a call on its folder. */
  private static void race(Attempt attempt, Yard yard) throws IOException {
    Integer number = any(attempt);
    Stored known = yard.databases.get(number);
    Call call = attempt.oneOf(List.of(Call.values()));
    if (known == null || yard.isInUse(number, false)) {
      return;
    }
    Path path = path(attempt, yard, number);
    Path other = path(attempt, yard, number);
    Path free = attempt.world.newFolder();
    Opening opening = opening(path, attempt, yard, known.named);
    CompletableFuture<Void> beside = CompletableFuture.runAsync(() -> call.run(other, free));
    try {
      known.db = opening.open();
      known.db.put("race".getBytes(), "race".getBytes());
    } catch (RocksDbException e) {
      attempt.check(known.db == null, "a write beside " + call + " failed: " + e);
    }
    boolean called = beside.handle((nothing, refused) -> refused == null).join();
    if (called && call == Call.DESTROY) {
      known.rows.clear();
    }
    if (known.db != null) {
      known.rows.put("race", "race");
      known.close();
      known.db = opening.open();
      known.check(known.db, "opened beside " + call);
    } else if (called) {
      happened(call, number, yard);
    }
    RocksDb.destroy(free);
  }

  private static void checkpoint(Attempt attempt, Yard yard) throws IOException {
    Integer number = any(attempt);
    Stored stored = anyOpen(attempt, yard, true);
    Path path = path(attempt, yard, number);
    boolean hasParent = Files.exists(path.toAbsolutePath().getParent());
    if (stored != null
        && succeeds(attempt, yard, "a checkpoint in " + path, Files.exists(yard.folder(number)), hasParent,
        () -> stored.db.files().checkpoint(path))) {
      copied(stored.rows, number, yard);
    }
  }

  private static void copied(Map<String, String> rows, Integer number, Yard yard) {
    Stored copy = new Stored(number, Arrays.asList(new Integer[3]), !yard.databases.containsKey(number));
    copy.rows.putAll(rows);
    yard.databases.put(number, copy);
  }

  private static void backup(Attempt attempt, Yard yard) throws IOException {
    Integer number = any(attempt);
    Stored stored = anyOpen(attempt, yard, true);
    Path path = path(attempt, yard, number);
    if (stored == null || attempt.oneIn(6) && yard.backups.containsKey(number)) {
      Backups backups = yard.backups.remove(number);
      if (backups != null) {
        backups.close();
      }
      return;
    }
    if (attempt.oneIn(2) || !yard.backups.containsKey(number)) {
      succeeds(attempt, yard, "backups in " + path, yard.isInUse(number, false), false, () ->
          yard.backups.put(number, Backups.open(path)));
    }
    if (yard.backups.containsKey(number)) {
      yard.backups.get(number).create(stored.db);
      yard.saved.computeIfAbsent(number, ignored -> new java.util.ArrayList<>()).add(new TreeMap<>(stored.rows));
      attackBackups(attempt, yard, yard.folder(number)
          .resolve(attempt.oneOf(List.of("", "private/1", "private/99", "shared_checksum", "meta"))));
    }
  }

  /** Makes a call on a path in a backup folder, which must be rejected. */
  private static void attackBackups(Attempt attempt, Yard yard, Path inner) throws IOException {
    Call call = attempt.oneOf(List.of(Call.values()));
    Path free = attempt.world.newFolder();
    boolean isNothing = call == Call.DESTROY && Files.notExists(inner); // destroying a missing folder does nothing
    succeeds(attempt, yard, call + " of " + inner, !isNothing, !isNothing, () -> call.run(inner, free));
    RocksDb.destroy(free);
  }

  private static void restore(Attempt attempt, Yard yard) throws IOException {
    if (yard.backups.isEmpty()) {
      return;
    }
    Integer from = attempt.oneOf(List.copyOf(yard.backups.keySet()));
    Integer to = any(attempt);
    Path path = path(attempt, yard, to);
    if (succeeds(attempt, yard, "restoring " + from + " into " + path, yard.isInUse(to, false), false,
        () -> yard.backups.get(from).restoreLatest(path))) {
      copied(yard.saved.get(from).getLast(), to, yard);
    }
  }
}
