/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.internal.loader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlatformTest {
  @ParameterizedTest
  @CsvSource({
    "Linux, amd64, GNU, linux-x86_64",
    "Linux, x86_64, MUSL, linux-x86_64-musl",
    "Linux, aarch64, GNU, linux-aarch_64",
    "Linux, aarch64, MUSL, linux-aarch_64-musl",
    "Linux, riscv64, GNU, linux-riscv64",
    "Linux, riscv64, MUSL, linux-riscv64-musl",
    "Linux, ppc64le, GNU, linux-ppcle_64",
    "Linux, ppc64le, MUSL, linux-ppcle_64-musl",
    "Linux, s390x, GNU, linux-s390_64",
    "Linux, s390x, MUSL, linux-s390_64-musl",
    "Mac OS X, x86_64, GNU, osx-x86_64",
    "Mac OS X, aarch64, GNU, osx-aarch_64",
  })
  void everyPlatformOfTheEngineIsNamedAsInTheNativeJar(String os, String processor, Libc libc, String name) {
    assertEquals(name, Platform.of(os, processor, libc).name());
  }

  /** Maven cannot iterate over a table, so the poms repeat the table of platforms; this test compares them. */
  @Test
  void theTableOfPlatformsIsThatOfTheCodeAndOfThePoms() throws IOException {
    List<String> names = new ArrayList<>();
    List<String> engines = new ArrayList<>();
    for (String line : Files.readAllLines(Path.of("../native-stubs/platforms.txt"))) {
      if (!line.startsWith("#")) {
        String[] columns = line.split(" +");
        names.add(columns[0]);
        engines.add(columns[1].replace("librocksdbjni-", ""));
      }
    }
    String message = unsupported("FreeBSD", "amd64", Libc.GNU);
    assertTrue(message.endsWith(String.join(", ", names) + "."), message);
    String parent = Files.readString(Path.of("../pom.xml"));
    assertEquals(names, all("<native.platform>(.*)</native.platform>", parent));
    assertEquals(engines, all("<native.engine>(.*)</native.engine>", parent));
    String jars = Files.readString(Path.of("../native-stubs/pom.xml"));
    assertEquals(names, all("<classesDirectory>.*/platforms/(.*)</classesDirectory>", jars));
  }

  private static List<String> all(String pattern, String text) {
    return Pattern.compile(pattern).matcher(text).results().map(found -> found.group(1)).toList();
  }

  /** {@code CheckNatives}, which checks the libraries of all platforms, contains the same exception. */
  @Test
  void theEngineOfOnePlatformCallsALibraryThatItDoesNotName() {
    assertEquals(List.of("libatomic.so.1"), Platform.of("Linux", "riscv64", Libc.GNU).unnamedByEngine());
    assertEquals(List.of(), Platform.of("Linux", "riscv64", Libc.MUSL).unnamedByEngine());
    assertEquals(List.of(), Platform.of("Linux", "amd64", Libc.GNU).unnamedByEngine());
  }

  @Test
  void macLibrariesAreDylibs() {
    assertEquals("librocksdb.so", Platform.of("Linux", "amd64", Libc.GNU).fileName("rocksdb"));
    assertEquals("librocksdb.dylib", Platform.of("Mac OS X", "aarch64", Libc.GNU).fileName("rocksdb"));
  }

  @Test
  void anUnsupportedPlatformIsToldWhatIsSupported() {
    String message = unsupported("FreeBSD", "amd64", Libc.GNU);
    assertTrue(message.startsWith("RocksDB has no native library for FreeBSD on amd64 (FreeBSD-x86_64)."), message);
    assertTrue(message.endsWith("linux-s390_64-musl, osx-x86_64, osx-aarch_64."), message);
  }

  @Test
  void anUnsupportedLibcIsNamed() {
    assertTrue(unsupported("Linux", "loongarch64", Libc.MUSL).contains("(linux-loongarch64-musl)"));
  }

  @Test
  void windowsIsToldThatItsLibraryExportsNothingToCall() {
    assertTrue(unsupported("Windows 11", "amd64", Libc.GNU).contains("library for Windows exports no C functions"));
  }

  private static String unsupported(String os, String processor, Libc libc) {
    return assertThrows(NativeLibraryError.class, () -> Platform.of(os, processor, libc)).getMessage();
  }
}
