/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.internal.loader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharedLibraryTest {
  @TempDir Path folder;

  @Test
  void anUnknownSymbolIsNamedWithItsLibrary() throws IOException {
    Path file = Files.write(folder.resolve("libsmall.so"), PackedFiles.smallLibrary());
    SharedLibrary library = SharedLibrary.open(file, "");
    NativeLibraryError error = assertThrows(NativeLibraryError.class, () -> library.find("rocksdb_no_such"));
    assertEquals(
        "There is no symbol rocksdb_no_such in " + file + ". The library is of another version than this one needs.",
        error.getMessage());
  }

  @Test
  void aFileThatIsNoLibraryIsRefusedInTheLinkersWords() throws IOException {
    Path file = Files.writeString(folder.resolve("libtext.so"), "This is no library, and it is not short.".repeat(99));
    String message = assertThrows(NativeLibraryError.class, () -> SharedLibrary.open(file, "")).getMessage();
    assertTrue(message.startsWith("Cannot load the native library " + file + ": "), message);
    assertTrue(message.contains("invalid ELF header"), message);
    assertTrue(message.endsWith("The file is not a library for this system."), message);
  }

  @Test
  void aMissingSystemLibraryIsNamed() throws IOException {
    byte[] small = PackedFiles.smallLibrary();
    String broken = new String(small, StandardCharsets.ISO_8859_1).replace("libc.so.6", "libx.so.6");
    Path file = Files.write(folder.resolve("libbroken.so"), broken.getBytes(StandardCharsets.ISO_8859_1));
    String message = assertThrows(NativeLibraryError.class, () -> SharedLibrary.open(file, "")).getMessage();
    assertTrue(message.startsWith("Cannot load the native library " + file + ": libx.so.6: "), message);
    assertTrue(message.endsWith("missing here: install the system package that has it."), message);
  }

  @Test
  void aLibraryThatTheEngineDoesNotNameIsOpenedForItOrMissedByName() {
    SharedLibrary.openForAll("libm.so.6");
    assertEquals(
        "The published RocksDB calls functions of libnone.so.1, which cannot be loaded: libnone.so.1: cannot open "
        + "shared"
            + " object file: No such file or directory. Install the system package that has it, on Debian and Ubuntu"
            + " libatomic1.",
        assertThrows(NativeLibraryError.class, () -> SharedLibrary.openForAll("libnone.so.1")).getMessage());
  }

  @Test
  void aChosenEngineThatDoesNotExistIsNamed() throws IOException {
    Path missing = folder.resolve("none.so");
    assertEquals(
        "There is no library " + missing + " (asked for by -Dorg.rocksdbffm.library). Name a file that exists.",
        refusal(missing));
  }

  @Test
  void aChosenEngineThatIsNoLibraryIsRefused() throws IOException {
    String message = refusal(Files.writeString(folder.resolve("text.so"), "no library".repeat(999)));
    assertTrue(message.endsWith("The file is not a library for this system."), message);
  }

  @Test
  void aChosenEngineThatIsNotRocksDbIsRefused() throws IOException {
    Path file = Files.write(folder.resolve("small.so"), PackedFiles.smallLibrary());
    String message = refusal(file);
    assertTrue(message.startsWith(file + " (asked for by -Dorg.rocksdbffm.library) exports no rocksdb_open:"), message);
    assertTrue(message.endsWith("Name a shared RocksDB library that exports rocksdb/c.h."), message);
  }

  /** Renames one function in a copy of the engine. */
  @Test
  void aChosenEngineWithoutAFunctionThatIsCalledIsRefusedBeforeAnyCall() throws IOException {
    String whole = new String(Files.readAllBytes(NativeLibrary.engine()), StandardCharsets.ISO_8859_1);
    String cut = whole.replace("\0rocksdb_flush_wal\0", "\0rocksdb_flush_xxx\0");
    Path file = Files.write(folder.resolve("cut.so"), cut.getBytes(StandardCharsets.ISO_8859_1));
    String message = refusal(file);
    assertTrue(message.startsWith(file + " (asked for by -Dorg.rocksdbffm.library) exports "), message);
    assertTrue(message.contains(" that are called; rocksdb_flush_wal are missing."), message);
    assertTrue(message.contains(" It is RocksDB 11.8.1. "), message);
    assertTrue(message.endsWith("Name a whole engine of the version that rocksdb-ffm is built for."), message);
  }

  /** Returns the reason why an engine that a system property names is rejected. */
  private String refusal(Path engine) throws IOException {
    NativeJar jar = PackedFiles.open(new PackedFiles().writeJar(folder.resolve("native.jar")));
    Map<String, String> properties = new HashMap<>();
    properties.put("org.rocksdbffm.library", engine.toString());
    properties.put("org.rocksdbffm.cache", folder.resolve("cache").toString());
    return assertThrows(
            NativeLibraryError.class,
            () -> LibraryPair.open(PackedFiles.PLATFORM, jar, properties::get, name -> null))
        .getMessage();
  }
}
