/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.tools.ChildJvm;

/**
 * Tests that the process reports and survives a refusal of a resource by the system. The limits are set only for a
 * child process.
 */
@EnabledOnOs({OS.LINUX, OS.MAC})
final class FaultTest {
  @TempDir Path temporary;

  private static void survives(ChildJvm child, String... arguments) {
    ChildJvm.Finished finished = child.run(arguments).assertExit(0);
    assertTrue(finished.output().contains(arguments[0] + " done"), finished.output());
  }

  private static ChildJvm child() {
    return ChildJvm.of(FaultCases.class);
  }

  @Test
  void aWriteThatTheDiskRefusesIsToldAndThoseBeforeItStay() {
    survives(child().underLimit("-f 2048"), "fileTooLarge"); // in blocks of 512 or 1024 bytes
  }

  @Test
  void aLackOfFileDescriptorsIsTold() {
    survives(child().underLimit("-n 120"), "outOfFiles");
  }

  @Test
  @EnabledOnOs(OS.LINUX) // other systems have no such limit
  void aLackOfNativeMemoryIsTold() {
    survives(
        child()
            .with("-Xmx1800m", "-XX:+UseSerialGC", "-XX:ReservedCodeCacheSize=32m", "-XX:CompressedClassSpaceSize=32m")
            .underLimit("-v 9000000"),
        "outOfMemory");
  }

  @Test
  void aFolderThatIsReadOnlyIsToldAndReadableAllTheSame() throws Exception {
    Path disk = Files.createDirectory(temporary.resolve("disk"));
    boolean mounted = run("mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", disk.toString());
    try {
      Path folder = disk.resolve("db");
      survives(child(), "write", folder.toString());
      if (mounted) {
        assertTrue(run("mount", "-o", "remount,ro", disk.toString()));
      } else {
        assumeTrue(!System.getProperty("user.name").equals("root"), "root may write anywhere");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("r-xr-xr-x"));
      }
      survives(child(), "readOnlyFolder", folder.toString());
    } finally {
      if (mounted) {
        assertTrue(run("umount", disk.toString()));
      } else {
        Files.setPosixFilePermissions(disk.resolve("db"), PosixFilePermissions.fromString("rwxr-xr-x"));
      }
    }
  }

  private static boolean run(String... command) throws Exception {
    try {
      return new ProcessBuilder(command).redirectErrorStream(true).start().waitFor() == 0;
    } catch (IOException e) {
      return false; // there is no such command
    }
  }

  @Test
  void aFolderOfAnOlderEngineOpensWithItsCompression() throws Exception {
    Path folder = temporary.resolve("old");
    Path old =
        Path.of(System.getProperty("rocksdbffm.old.engine", "target/old-engine/rocksdbjni.jar")).toAbsolutePath();
    assertTrue(Files.exists(old), old + " is fetched by the build");
    ChildJvm.Finished writer =
        ChildJvm.of(OldEngineWriter.class)
            .withoutClassPath(entry -> entry.contains("rocksdbjni"))
            .withClassPath(old)
            .run(folder.toString())
            .assertExit(0);
    assertTrue(writer.output().contains("written by " + OldEngineWriter.VERSION), writer.output());
    try (RocksDb db = RocksDb.open(folder)) {
      for (int i = 0; i < OldEngineWriter.ROWS; i++) {
        assertEquals(OldEngineWriter.value(i), new String(db.get(("key" + i).getBytes())));
      }
      assertEquals("in the log", new String(db.get("last".getBytes())));
      assertEquals("of a family", new String(db.family("other").get("key".getBytes())));
      db.put("new".getBytes(), "value".getBytes());
      db.compact(KeyRange.all());
      assertEquals(OldEngineWriter.value(7), new String(db.get("key7".getBytes())));
    }
  }
}
