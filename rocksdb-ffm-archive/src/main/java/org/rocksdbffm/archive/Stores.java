/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.ServiceLoader;
import java.util.regex.Pattern;

/** Finds the store that a text names. */
final class Stores {
  private static final Pattern URI_WITH_SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]+:.*"); // C:\ is a path

  private Stores() {}

  static boolean isUri(String where) {
    return URI_WITH_SCHEME.matcher(where).matches();
  }

  private static URI uri(String where) {
    try {
      return URI.create(where);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "where: '" + where + "' is no valid URI: " + e.getMessage() + "; write ./ before a path", e);
    }
  }

  private static Path folder(URI uri) {
    try {
      return Path.of(uri);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "where: " + uri + " names no folder of this machine: write file:///folder, or the path only", e);
    }
  }

  static ObjectStore at(String where) throws IOException {
    if (requireNonNull(where, "where").isBlank()) {
      throw new IllegalArgumentException("where: empty, but it must be a path or a URI");
    }
    if (!isUri(where)) {
      return FolderStore.open(Path.of(where));
    }
    URI uri = uri(where);
    String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
    if (scheme.equals("file")) {
      return FolderStore.open(folder(uri));
    }
    List<String> schemes = new ArrayList<>(List.of("file"));
    for (StoreProvider provider : ServiceLoader.load(StoreProvider.class, Stores.class.getClassLoader())) {
      if (provider.scheme().equals(scheme)) {
        return provider.open(uri);
      }
      schemes.add(provider.scheme());
    }
    throw new IllegalArgumentException(
        "where: there is no store for " + scheme + ":, only for " + String.join(", ", schemes)
            + ": add the module with its StoreProvider to the class path");
  }
}
