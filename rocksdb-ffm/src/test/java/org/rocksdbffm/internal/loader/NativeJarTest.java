/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.internal.loader;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeJarTest {
  @TempDir Path folder;

  @Test
  void aMissingJarIsAskedForByItsMavenCoordinates() {
    String message = assertThrows(NativeLibraryError.class, () -> PackedFiles.open(folder)).getMessage();
    String coordinates = "org.rocksdbffm:rocksdb-ffm-native:1.2.3:" + PackedFiles.PLATFORM.name();
    assertTrue(message.contains("Add the dependency " + coordinates + " (group, artifact"), message);
  }

  @Test
  void aLibraryComesWithTheDigestOfTheSums() throws IOException {
    byte[] content = {1, 2, 3};
    Path jar = new PackedFiles().add("librocksdb.so", content).writeJar(folder.resolve("native.jar"));
    PackedLibrary library = PackedFiles.open(jar).library("librocksdb.so");
    assertEquals("039058c6f2c0cb492c533b0a4d14ef77cc0f78abccced5287d84a1a2011cfb81", library.sha256());
    ByteArrayOutputStream copy = new ByteArrayOutputStream();
    library.copyTo(copy);
    assertArrayEquals(content, copy.toByteArray());
  }

  @Test
  void aLibraryWithoutASumIsRefused() throws IOException {
    Path jar = new PackedFiles().add("a.so", new byte[1]).writeJar(folder.resolve("native.jar"));
    NativeLibraryError error =
        assertThrows(NativeLibraryError.class, () -> PackedFiles.open(jar).library("librocksdb.so"));
    assertTrue(error.getMessage().contains("SHA256SUMS has no line for librocksdb.so. Delete"), error::toString);
  }

  @Test
  void aSumWithoutALibraryIsRefused() throws IOException {
    String sum = PackedFiles.sha256(new byte[1]) + "  librocksdb.so";
    Path jar = new PackedFiles().addSums(sum).writeJar(folder.resolve("native.jar"));
    NativeLibraryError error =
        assertThrows(NativeLibraryError.class, () -> PackedFiles.open(jar).library("librocksdb.so"));
    assertTrue(error.getMessage().contains("SHA256SUMS names a missing librocksdb.so. Delete"), error::toString);
  }

  @Test
  void aLineThatIsNoSumIsRefused() throws IOException {
    String path = "../../../../etc/passwd";
    Path jar = new PackedFiles().addSums(path + "  librocksdb.so").writeJar(folder.resolve("native.jar"));
    NativeLibraryError error = assertThrows(NativeLibraryError.class, () -> PackedFiles.open(jar));
    assertTrue(error.getMessage().contains("has the line \"" + path), error::toString);
  }

  @Test
  void theContentIsTheSameFromAJarAndFromAFolder() throws IOException {
    byte[] content = {1, 2, 3};
    PackedFiles files = new PackedFiles().add("librocksdb.so", content);
    Path same = Files.write(folder.resolve("same"), content);
    Path other = Files.write(folder.resolve("other"), new byte[] {1, 2, 4});
    for (Path packed :
        new Path[] {files.writeJar(folder.resolve("native.jar")), files.writeFolder(folder.resolve("folder"))}) {
      PackedLibrary library = PackedFiles.open(packed).library("librocksdb.so");
      assertTrue(library.equalsContentOf(same), packed.toString());
      assertEquals(false, library.equalsContentOf(other), packed.toString());
    }
  }
}
