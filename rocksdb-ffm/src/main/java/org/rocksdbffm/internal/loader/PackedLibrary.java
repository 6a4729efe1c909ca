/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.internal.loader;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.zip.CRC32;

/** A library in the native jar, with its expected digest, and its CRC-32 from the jar. */
record PackedLibrary(String fileName, String sha256, OptionalLong crc, URL url) {
  private static final int BUFFER = 1 << 16;

  /** Copies the library; throws after the last byte if it does not match its digest. */
  void copyTo(OutputStream out) throws IOException {
    try (InputStream in = open()) {
      String copied = Sha256.ofCopy(in, out);
      if (!copied.equals(sha256)) {
        throw new NativeLibraryError(
            ("The native jar is damaged: %s has the SHA-256 %s instead of %s. Delete the jar and have it fetched or"
                    + " built anew.")
                .formatted(url, copied, sha256));
      }
    }
  }

  private InputStream open() throws IOException {
    return connection(url).getInputStream();
  }

  long size() throws IOException {
    try (InputStream in = open()) {
      return in.transferTo(OutputStream.nullOutputStream());
    }
  }

  /**
   * Whether a file has the library's content. Compares the CRC-32 from the jar's directory, which at JVM start is ten
   * times faster than a SHA-256; without a jar, as in a run-time image, compares the SHA-256.
   */
  boolean equalsContentOf(Path file) throws IOException {
    if (crc.isPresent()) {
      return crc.getAsLong() == crcOf(file);
    }
    try (InputStream in = Files.newInputStream(file)) {
      return sha256.equals(Sha256.of(in));
    }
  }

  /**
   * Whether a user owns the jar file. That user already determines what code this process runs, so a copy owned by that
   * user can be trusted. Called only if the copy belongs to neither this user nor root.
   */
  boolean isOwnedBy(int user) {
    try {
      return (int) Files.getAttribute(container(), "unix:uid") == user;
    } catch (IOException | IllegalArgumentException notInFile) {
      return false;
    }
  }

  /** Returns the jar, or the outermost one of nested jars. */
  private Path container() {
    String text = url.toString();
    for (String scheme : new String[] {"jar:nested:", "jar:file:", "file:"}) {
      if (text.startsWith(scheme)) {
        int end = text.indexOf(scheme.equals("jar:nested:") ? "/!" : "!/");
        return Path.of(URI.create("file:" + text.substring(scheme.length(), end < 0 ? text.length() : end)));
      }
    }
    throw new IllegalArgumentException("not in a file: " + url);
  }

  private static long crcOf(Path file) throws IOException {
    CRC32 crc = new CRC32();
    byte[] buffer = new byte[BUFFER];
    try (InputStream in = new FileInputStream(file.toFile())) { // no channel, because an interrupt would close it
      for (int size = in.read(buffer); size > 0; size = in.read(buffer)) {
        crc.update(buffer, 0, size);
      }
    }
    return crc.getValue();
  }

  /** Opens without the JDK's cache, which would keep the jar open after its class loader was closed. */
  static URLConnection connection(URL url) throws IOException {
    URLConnection connection = url.openConnection();
    connection.setUseCaches(false);
    return connection;
  }
}
