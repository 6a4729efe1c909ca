/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The marks on the disk that docs/promises.md lists are the constants of the code. */
class PromisesTest {
  private static final Path ROOT = Path.of("..");
  private static final String CORE = "rocksdb-ffm/src/main/java/org/rocksdbffm/";
  private static final String ARCHIVE = "rocksdb-ffm-archive/src/main/java/org/rocksdbffm/archive/";

  private static String page() throws IOException {
    return Files.readString(ROOT.resolve("docs/promises.md"));
  }

  /** Returns the value of a constant, by the text of its declaration. */
  private static String constant(String file, String name) throws IOException {
    String source = Files.readString(ROOT.resolve(file));
    Matcher found = Pattern.compile("\\b" + name + "(?:\\[\\d*])? = (?:\"([^\"]*)\"|([^;]*));").matcher(source);
    assertTrue(found.find(), () -> file + " has no constant " + name);
    return found.group(1) != null ? found.group(1) : found.group(2);
  }

  @ParameterizedTest
  @CsvSource({
    CORE + "internal/folder/OwnerFile.java, NAME, | `%s` |",
    CORE + "internal/folder/DatabaseFolders.java, LIST, | `%s` |",
    CORE + "internal/folder/FolderClaim.java, LOCK, | `%s` |",
    CORE + "internal/format/DatabaseFile.java, PREFIX, | a prefix of %s bytes",
    ARCHIVE + "Chain.java, LOG, | `%s<16 digits>` |",
    ARCHIVE + "FolderStore.java, TEMPORARY, | `%s...` |",
    ARCHIVE + "ArchiveFollower.java, LINK, a link `%s`"
  })
  void aNameOnTheDiskIsOnThePage(String file, String constant, String row) throws IOException {
    String text = row.formatted(constant(file, constant));
    assertTrue(page().contains(text), () -> "docs/promises.md has no \"" + text + "\"");
  }

  @Test
  void theVersionOfEncryptedFilesIsOnThePage() throws IOException {
    String stubs = "native-stubs/src/encryption.cc";
    String magic = constant(stubs, "kMagic").replace("\\n", "");
    assertEquals(magic, constant(CORE + "internal/format/DatabaseFile.java", "MAGIC").replace("\\n", ""));
    String version = constant(stubs, "kVersion").replaceAll("\\D*(\\d+).*", "$1");
    String text = "`" + magic + "` and version " + version;
    assertTrue(page().contains(text), () -> "docs/promises.md has no \"" + text + "\"");
  }

  @Test
  void theVersionOfAnArchiveIsOnThePage() throws IOException {
    int magic = Integer.decode(constant(ARCHIVE + "Entry.java", "MAGIC"));
    StringBuilder text = new StringBuilder();
    for (int shift = Integer.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
      text.append((char) (magic >> shift & 0xff));
    }
    String row = ": `" + text + "`, whose digit is the version";
    assertTrue(page().contains(row), () -> "docs/promises.md has no \"" + row + "\"");
  }
}
