/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With a system property, no file of Kafka's stores has a plain key or value. */
class EncryptedStoresTest {
  @TempDir Path folder;

  /** Returns the number of RocksDB's files; fails unless all are encrypted, or all are not. */
  private int files(boolean isEncrypted, Path stores) throws IOException {
    int count = 0;
    int withSecrets = 0;
    try (Stream<Path> files = Files.walk(stores)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String text = Files.readString(file, StandardCharsets.ISO_8859_1);
        boolean isOfEngine = file.toString().contains("/rocksdb/") && !text.isEmpty();
        assertEquals(isOfEngine && isEncrypted, text.startsWith("ffm-aes\n"), file::toString);
        withSecrets += text.contains("secret") ? 1 : 0;
        count += isOfEngine ? 1 : 0;
      }
    }
    assertEquals(isEncrypted, withSecrets == 0, withSecrets + " files with plain rows");
    return count;
  }

  private void run(Path stores, List<String> flags) throws Exception {
    String classPath = System.getProperty("surefire.real.class.path", System.getProperty("java.class.path"));
    Path output = folder.resolve("output");
    Process process =
        new ProcessBuilder(
                Stream.of(
                        Stream.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()),
                        flags.stream(),
                        Stream.of(
                            "--enable-native-access=ALL-UNNAMED", "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
                            "-cp", classPath, EncryptedStores.class.getName(), stores.toString()))
                    .flatMap(words -> words)
                    .toList())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    assertEquals(0, process.waitFor(), () -> read(output));
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }

  @Test
  void noFileOfAStoreHasAPlainRow() throws Exception {
    Path keys = Files.writeString(folder.resolve("keys"), "k1 " + "0".repeat(64) + "\n");
    Path encrypted = Files.createDirectory(folder.resolve("encrypted"));
    run(encrypted, List.of("-Dorg.rocksdbffm.compat.encryption=" + keys));
    assertTrue(files(true, encrypted) >= 15, "files of three stores");
    Path plain = Files.createDirectory(folder.resolve("plain"));
    run(plain, List.of()); // the same check must find rows in plain files
    files(false, plain);
  }
}
