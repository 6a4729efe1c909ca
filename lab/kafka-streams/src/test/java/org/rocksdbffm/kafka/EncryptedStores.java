/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.kafka;

import java.nio.file.Path;
import java.util.Map;
import org.apache.kafka.streams.state.KeyValueStore;

/** Writes rows to stores of each kind, and reads them: {@code FOLDER}. */
final class EncryptedStores {
  static final String SECRET = "a secret of four words";

  private static final int ROWS = 2000;

  private EncryptedStores() {}

  public static void main(String[] arguments) {
    for (KeyValueStoreTest.Kind kind : KeyValueStoreTest.Kind.values()) {
      Path folder = Path.of(arguments[0], kind.name());
      for (int run = 0; run < 2; run++) { // the second opens the stores of the first
        try (OneStore one = kind.open(folder, false, Map.of())) {
          KeyValueStore<String, String> store = one.driver.getKeyValueStore(OneStore.NAME);
          for (int i = 0; i < ROWS; i++) {
            store.put(SECRET + i, "value: " + SECRET + i);
          }
          store.flush();
          for (int i = 0; i < ROWS; i++) {
            if (!("value: " + SECRET + i).equals(store.get(SECRET + i))) {
              throw new AssertionError("row " + i + " of " + kind);
            }
          }
        }
      }
    }
    System.out.println("done");
  }
}
