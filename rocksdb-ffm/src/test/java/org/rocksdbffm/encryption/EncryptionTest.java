/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.encryption;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.CompactOptions;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.EncryptionKeys;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.Opening;
import org.rocksdbffm.Repair;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.tools.ChildJvm;

/** Tests databases whose files are encrypted. */
class EncryptionTest {
  private static final String SECRET = "a secret of four words";
  private static final int ROWS = 2000;

  @TempDir Path folder;

  private static EncryptionKeys keys(String... ids) {
    return () -> Stream.of(ids).map(id -> new EncryptionKeys.Key(id, bytesOf(id))).toList();
  }

  private static byte[] bytesOf(String id) {
    return Arrays.copyOf(("bytes of the key " + id).getBytes(StandardCharsets.US_ASCII), 32);
  }

  private Opening opening(EncryptionKeys keys) {
    return RocksDb.at(folder).options(DatabaseOptions.defaults().encryption(keys));
  }

  private static byte[] key(int i) {
    return ("key " + SECRET + i).getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] value(int i) {
    return (SECRET + " value " + i).getBytes(StandardCharsets.US_ASCII);
  }

  private static void fill(RocksDb db) {
    for (int i = 0; i < ROWS; i++) {
      db.put(key(i), value(i));
    }
  }

  private static void requireRows(RocksDb db) {
    for (int i = 0; i < ROWS; i++) {
      assertArrayEquals(value(i), db.get(key(i)));
    }
  }

  private Map<String, byte[]> files() throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        files.put(folder.relativize(file).toString(), Files.readAllBytes(file));
      }
    }
    return files;
  }

  private static boolean contains(byte[] bytes, String text) {
    return new String(bytes, StandardCharsets.ISO_8859_1).contains(text);
  }

  @Test
  void noFileContainsTextOfRowsOrOfTheEngine() throws IOException {
    try (RocksDb db =
        opening(keys("k1")).defaults(FamilyOptions.defaults().option("compression", "kNoCompression")).open()) {
      fill(db);
      db.flush();
      db.compact(KeyRange.all(), CompactOptions.defaults());
      fill(db);
      requireRows(db);
      assertEquals(
          Set.of(), namesOfPlainFiles(),
          "files of an open database with text of rows, or without the prefix of an encrypted file");
    }
    assertEquals(Set.of(), namesOfPlainFiles());
    try (RocksDb db = opening(keys("k1")).open()) {
      requireRows(db);
    }
  }

  private Set<String> namesOfPlainFiles() throws IOException {
    Set<String> plain = new HashSet<>();
    files().forEach((name, bytes) -> {
      boolean isPrefixed = bytes.length == 0 || contains(Arrays.copyOf(bytes, 8), "ffm-aes\n");
      if (contains(bytes, SECRET) || contains(bytes, "leveldb") || !isPrefixed) {
        plain.add(name);
      }
    });
    return plain;
  }

  @Test
  void theSameRowsAreNeverEncryptedAlike() throws IOException {
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < 2; i++) {
      try (RocksDb db = opening(keys("k1")).open()) {
        fill(db);
        db.flush();
      }
      for (var file : files().entrySet()) {
        byte[] bytes = file.getValue();
        for (int at = 4096; at + 16 <= bytes.length; at += 16) {
          String block = new String(bytes, at, 16, StandardCharsets.ISO_8859_1);
          assertTrue(seen.add(block), "a block of " + file.getKey() + " repeats at " + at);
        }
      }
      Files.walk(folder).filter(Files::isRegularFile).forEach(file -> file.toFile().delete());
    }
  }

  @Test
  void logsThatAreRecycledGetAnotherNonce() throws IOException {
    DatabaseOptions options =
        DatabaseOptions.defaults().encryption(keys("k1")).option("recycle_log_file_num", 2);
    Set<String> nonces = new HashSet<>();
    List<String> ofLogs = new ArrayList<>();
    for (int opening = 0; opening < 3; opening++) {
      try (RocksDb db = RocksDb.at(folder).options(options).open()) {
        for (int i = 0; i < 8; i++) {
          fill(db);
          db.flush();
          for (String name : folder.toFile().list((_, name) -> name.endsWith(".log"))) {
            String nonce = new String(Files.readAllBytes(folder.resolve(name)), 16, 16, StandardCharsets.ISO_8859_1);
            if (nonces.add(name + nonce)) {
              ofLogs.add(nonce);
            }
          }
        }
        requireRows(db);
      }
    }
    assertEquals(ofLogs.size(), Set.copyOf(ofLogs).size());
    assertTrue(ofLogs.size() >= 8, () -> "logs: " + ofLogs.size());
  }

  @Test
  void aProcessThatIsKilledLosesNoSyncedRow() throws Exception {
    ChildJvm.of(Killed.class).run(folder.toString()).assertExit(137);
    try (RocksDb db = opening(keys("k1")).open()) {
      requireRows(db);
    }
    assertEquals(Set.of(), namesOfPlainFiles());
  }

  static final class Killed {
    public static void main(String[] arguments) throws Exception {
      EncryptionTest test = new EncryptionTest();
      test.folder = Path.of(arguments[0]);
      RocksDb db = test.opening(keys("k1")).open();
      fill(db);
      new ProcessBuilder("kill", "-9", "" + ProcessHandle.current().pid()).start().waitFor();
      Thread.sleep(Long.MAX_VALUE);
    }
  }

  @Test
  void aLogThatLostItsPrefixInAPowerFailureIsEmpty() throws IOException {
    for (int size : new int[] {0, 50, 4095, 4096, 9000}) {
      try (RocksDb db = opening(keys("k1")).open()) {
        fill(db);
        requireRows(db);
      }
      Files.write(folder.resolve("000999.log"), new byte[size]);
      try (RocksDb db = opening(keys("k1")).open()) {
        requireRows(db);
      }
      Files.deleteIfExists(folder.resolve("000999.log"));
    }
  }

  @Test
  void keysThatDoNotFitAreRefusedBeforeAnythingIsWritten() throws IOException {
    try (RocksDb db = opening(keys("k1")).open()) {
      fill(db);
    }
    String current = folder.toRealPath().resolve("CURRENT").toString();
    assertRefused(
        opening(keys("k2")),
        current + " is encrypted with the key 'k1', and the given keys are [k2]",
        "add this key to the others");
    EncryptionKeys wrong = () -> List.of(new EncryptionKeys.Key("k1", bytesOf("other")));
    assertRefused(
        opening(wrong),
        current
        + " is encrypted with another key than the given one with its id, the key 'k1', or its first bytes are damaged",
        "give the key that the file was written with; keys with different bytes need different ids");
    assertRefused(
        RocksDb.at(folder),
        current + " is encrypted, with the key 'k1'",
        "name the keys, with DatabaseOptions.encryption where a database is opened");
  }

  @Test
  void aPlainDatabaseIsRefusedWithKeys() throws IOException {
    try (RocksDb db = RocksDb.at(folder).open()) {
      fill(db);
    }
    assertRefused(
        opening(keys("k1")),
        folder.toRealPath().resolve("CURRENT") + " is not encrypted, and keys are given",
        "leave out DatabaseOptions.encryption; to encrypt a database, copy its rows into a new one");
  }

  private void assertRefused(Opening opening, String message, String advice) throws IOException {
    Map<String, byte[]> before = files();
    var thrown = assertThrows(RocksDbException.class, opening::open);
    assertEquals("Invalid argument: " + message + " (opening " + folder + ": " + advice + ")", thrown.getMessage());
    Map<String, byte[]> after = files();
    assertEquals(before.keySet(), after.keySet());
    before.forEach((name, bytes) -> assertArrayEquals(bytes, after.get(name), name));
  }

  @Test
  void aNewKeyEncryptsNewFilesAndACompactionReplacesTheOldOne() throws IOException {
    try (RocksDb db = opening(keys("k1")).open()) {
      fill(db);
      db.flush();
    }
    try (RocksDb db = opening(keys("k2", "k1")).open()) {
      requireRows(db);
      db.compact(KeyRange.all(), CompactOptions.defaults().bottommost(CompactOptions.Bottommost.FORCE));
    }
    try (RocksDb db = opening(keys("k2")).open()) {
      requireRows(db);
    }
  }

  @Test
  void anOpeningThatIsRefusedLeavesTheIdentityOfTheOpenDatabase() throws Exception {
    Path identity = folder.resolve("IDENTITY");
    byte[] before;
    String id;
    try (RocksDb db = opening(keys("k1")).open()) {
      before = Files.readAllBytes(identity);
      id = db.files().identity();
      String refused = ChildJvm.of(Refused.class).run(folder.toString()).assertExit(0).output();
      assertTrue(refused.contains("another process has the database open"), refused);
      assertArrayEquals(before, Files.readAllBytes(identity));
    }
    try (RocksDb db = opening(keys("k2", "k1")).open()) {
      assertEquals(id, db.files().identity());
      assertTrue(contains(Files.readAllBytes(identity), "k2"));
    }
    Files.write(identity, before); // with a key that is missing
    try (RocksDb db = opening(keys("k2")).open()) {
      assertEquals(id, db.files().identity());
    }
  }

  static final class Refused {
    public static void main(String[] arguments) {
      EncryptionTest test = new EncryptionTest();
      test.folder = Path.of(arguments[0]);
      try {
        test.opening(keys("k2", "k1")).open().close();
      } catch (RocksDbException e) {
        System.out.println(e.getMessage());
      }
    }
  }

  @Test
  void theKeysOfOptionsAreUsedAlsoDuringAnOperationWithOthers(@TempDir Path copies) throws IOException {
    byte[] row = {1};
    Path checkpoint = copies.resolve("checkpoint");
    keys("other").use(() -> {
      try (RocksDb db = opening(keys("k1")).open()) {
        db.put(row, row);
        db.flush();
        db.files().checkpoint(checkpoint);
      }
      try (RocksDb db = opening(keys("k1")).openReadOnly()) {
        assertArrayEquals(row, db.get(row));
      }
      return null;
    });
    try (RocksDb db = opening(keys("k1")).open()) {
      assertArrayEquals(row, db.get(row));
    }
    Repair.of(checkpoint, DatabaseOptions.defaults().encryption(keys("k1")), FamilyOptions.defaults());
    try (RocksDb db = RocksDb.at(checkpoint).options(DatabaseOptions.defaults().encryption(keys("k1"))).open()) {
      assertArrayEquals(row, db.get(row));
    }
  }

  @Test
  void keysThatWereUsedAreRefusedBecauseTheirBytesAreOverwritten() {
    List<EncryptionKeys.Key> same = List.of(new EncryptionKeys.Key("k1", bytesOf("k1")));
    opening(() -> same).open().close();
    var thrown = assertThrows(IllegalStateException.class, () -> opening(() -> same).open());
    assertEquals("keys: key k1 was used before, and overwritten; return new keys each time", thrown.getMessage());
  }

  @Test
  void aKeyFileOfAnEditorIsReadAndOtherTextIsRefusedByItsLine() throws IOException {
    Path file = folder.resolve("keys");
    String digits = "0f".repeat(32);
    Files.writeString(file, "\ufeff# keys\r\nk/../1 " + digits + "\r\n\r\nk0 " + digits.toUpperCase() + "\r\n");
    assertEquals("[key k/../1, key k0]", EncryptionKeys.ofFile(file).keys().toString());
    String noDigits = digits.replace("f", "g");
    for (String line :
        List.of("k1", "k1 " + digits + "0", "k1 " + noDigits, "k1  " + digits, digits, "k1\t" + digits)) {
      Files.writeString(file, "k0 " + digits + "\n" + line + "\n");
      var thrown = assertThrows(IllegalArgumentException.class, () -> EncryptionKeys.ofFile(file).keys());
      assertEquals("file: " + file + ", line 2 is not an id, a space and 64 hexadecimal digits", thrown.getMessage());
    }
    for (String id : List.of("", "caf\u00e9", "i".repeat(33))) {
      Files.writeString(file, id + " " + digits);
      var thrown = assertThrows(IllegalArgumentException.class, () -> EncryptionKeys.ofFile(file).keys());
      assertEquals(
          "file: " + file + ", line 1: id: '" + id + "', but it has 1 to 32 printable ASCII characters without spaces",
          thrown.getMessage());
    }
    assertThrows(IllegalArgumentException.class, () -> EncryptionKeys.ofFile(folder).keys());
  }

  @Test
  void keysComeFromAFile() throws IOException {
    Path file = folder.resolveSibling(folder.getFileName() + ".keys");
    Files.writeString(file, "# keys\n\nk2 " + "0f".repeat(32) + "\r\nk1 " + "A1".repeat(32) + "\n");
    assertEquals("[key k2, key k1]", EncryptionKeys.ofFile(file).keys().toString());
    try (RocksDb db = opening(EncryptionKeys.ofFile(file)).open()) {
      fill(db);
    }
    Files.writeString(file, "k2 0f\n");
    var thrown = assertThrows(IllegalArgumentException.class, () -> EncryptionKeys.ofFile(file).keys());
    assertEquals("file: " + file + ", line 1 is not an id, a space and 64 hexadecimal digits", thrown.getMessage());
    Files.delete(file);
    assertFalse(files().isEmpty());
  }
}
