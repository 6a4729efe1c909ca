/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A text names a store: a folder by path or URI, others by the provider of their scheme. */
class StoresTest {
  @TempDir Path folder;

  private record Text(byte[] bytes) implements ObjectStore.Content {
    @Override
    public long size() {
      return bytes.length;
    }

    @Override
    public InputStream open() {
      return new ByteArrayInputStream(bytes);
    }
  }

  private void put(String where, String name) throws IOException {
    try (ObjectStore store = ObjectStore.at(where)) {
      assertTrue(store.putIfAbsent(name, new Text(name.getBytes(UTF_8))));
    }
  }

  @Test
  void aPathAndAFileUriAreFolders() throws IOException {
    Path store = folder.resolve("a store");
    put(store.toString(), "path");
    put(store.toUri().toString(), "uri");
    assertEquals("path", Files.readString(store.resolve("path")));
    assertEquals("uri", Files.readString(store.resolve("uri")));
  }

  @Test
  void anUnknownSchemeIsRefusedWithTheKnownOnes() {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> ObjectStore.at("gone://bucket/prefix"));
    assertEquals(
        "where: there is no store for gone:, only for " + known()
            + ": add the module with its StoreProvider to the class path",
        refused.getMessage());
    assertThrows(IllegalArgumentException.class, () -> ObjectStore.at(" "));
    assertRefused(
        "file://host name/", "where: 'file://host name/' is no valid URI: .*; write ./ before a path");
    for (String where : List.of("file:relative", "file://host/folder")) {
      assertRefused(
          where, "where: " + where + " names no folder of this machine: write file:///folder, or the path only");
    }
  }

  private static void assertRefused(String where, String message) {
    String refused = assertThrows(IllegalArgumentException.class, () -> ObjectStore.at(where)).getMessage();
    assertTrue(refused.matches(message), refused);
  }

  private static String known() {
    StringBuilder known = new StringBuilder("file");
    ServiceLoader.load(StoreProvider.class).forEach(each -> known.append(", ").append(each.scheme()));
    return known.toString();
  }

  /** Opens folders by a scheme. */
  public static final class FolderProvider implements StoreProvider {
    @Override
    public String scheme() {
      return "folder";
    }

    @Override
    public ObjectStore open(URI where) throws IOException {
      return FolderStore.open(Path.of(where.getPath()));
    }
  }

  @Test
  void aProviderOpensTheUrisOfItsScheme() throws Exception {
    Path store = folder.resolve("provided");
    put("FOLDER://host" + store, "name");
    assertEquals("name", Files.readString(store.resolve("name")));
  }
}
