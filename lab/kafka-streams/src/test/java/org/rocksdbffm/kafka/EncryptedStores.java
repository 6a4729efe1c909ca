/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.kafka;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Writes rows to stores of each kind, reads them, and copies the files, because Kafka's test driver deletes them:
 * {@code FOLDER}.
 */
final class EncryptedStores {
  static final String SECRET = "a secret of four words";

  private static final int ROWS = 2000;

  /** Small write buffers, so that rows are flushed to tables: Kafka writes no WAL. */
  private static final Map<String, ?> SMALL_BUFFERS =
      Map.of(StreamsConfig.ROCKSDB_CONFIG_SETTER_CLASS_CONFIG, TunedStores.class);

  private EncryptedStores() {}

  public static void main(String[] arguments) throws IOException {
    for (KeyValueStoreTest.Kind kind : KeyValueStoreTest.Kind.values()) {
      Path folder = Path.of(arguments[0], kind.name());
      try (OneStore one = kind.open(folder, false, SMALL_BUFFERS)) {
        KeyValueStore<String, String> store = one.driver.getKeyValueStore(OneStore.NAME);
        for (int i = 0; i < ROWS; i++) {
          store.put(SECRET + i, "value: " + SECRET + i);
        }
        for (int i = 0; i < ROWS; i++) {
          if (!("value: " + SECRET + i).equals(store.get(SECRET + i))) {
            throw new AssertionError("row " + i + " of " + kind);
          }
        }
        copy(folder, Path.of(arguments[0], "copy of " + kind));
      }
    }
    System.out.println("done");
  }

  private static void copy(Path from, Path to) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(from)) {
      files = all.toList();
    }
    for (Path file : files) {
      Files.copy(file, to.resolve(from.relativize(file).toString()));
    }
  }
}
