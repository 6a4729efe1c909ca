/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A disk in memory that can be filled up to the last page. If it cannot be mounted, the test is skipped. */
public record SmallDisk(Path path) implements AutoCloseable {
  private static final String FILLER = "filler";
  private static final int PAGE = 4096;

  /** Creates a folder, and mounts a disk there. */
  public static SmallDisk mount(Path point, int mib) throws IOException {
    Path real = Files.createDirectory(point).toRealPath();
    String refusal = run("mount", "-t", "tmpfs", "-o", "size=" + mib + "m", "tmpfs", real.toString());
    assumeTrue(refusal.isEmpty(), () -> "These tests need to mount a tmpfs, which this system refuses: " + refusal);
    return new SmallDisk(real);
  }

  public long free() throws IOException {
    return Files.getFileStore(path).getUsableSpace();
  }

  /** Fills the disk until a number of bytes is left. */
  public void leave(long bytes) throws IOException {
    byte[] page = new byte[PAGE];
    try (OutputStream filler = Files.newOutputStream(path.resolve(FILLER))) {
      while (free() - bytes >= PAGE) {
        filler.write(page);
      }
    } catch (IOException e) {
      if (free() >= PAGE) {
        throw e;
      } // otherwise the engine has used the last page: the disk is full
    }
  }

  /** Deletes the file that fills the disk. */
  public void makeRoom() throws IOException {
    Files.deleteIfExists(path.resolve(FILLER));
  }

  @Override
  public void close() {
    assertEquals("", run("umount", path.toString()));
  }

  /** Runs a command, and returns its exit code and output if it fails, and "" if it does not. */
  private static String run(String... command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return process.waitFor() == 0 ? "" : "exit " + process.exitValue() + ": " + output;
    } catch (IOException absent) {
      return absent.toString();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
