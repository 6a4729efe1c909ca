/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@link FolderStore} fulfills the contract of object stores, and deletes the remains of a crash. */
class FolderStoreTest extends ObjectStoreContract {
  @TempDir Path folder;

  @Override
  ObjectStore open() throws IOException {
    return FolderStore.open(folder.resolve("store"));
  }

  @Test
  void remainsOfACrashAreNotListedAndDeletedAfterADay() throws IOException {
    Path store = Files.createDirectories(folder.resolve("store"));
    Path recent = Files.createFile(store.resolve(".new-recent"));
    Path old = Files.createFile(store.resolve(".new-old"));
    Files.setLastModifiedTime(old, FileTime.from(Instant.now().minusSeconds(100_000)));
    try (ObjectStore opened = open()) {
      assertEquals(List.of(), opened.list("", "", 10));
      assertFalse(Files.exists(old));
      assertTrue(Files.exists(recent));
    }
  }

  @Test
  void readingDoesNotCreateTheFolder() throws IOException {
    try (ObjectStore store = open()) {
      assertNull(store.get("name", 0));
      assertEquals(List.of(), store.list("", "", 10));
      store.delete("name");
    }
    assertFalse(Files.exists(folder.resolve("store")));
  }
}
