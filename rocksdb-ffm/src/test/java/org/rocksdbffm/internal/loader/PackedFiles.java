/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.internal.loader;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

/** Creates native jars for the platform that the tests run on. */
final class PackedFiles {
  static final Platform PLATFORM = Platform.current();
  static final String ENGINE = PLATFORM.fileName("rocksdb");
  static final String STUBS = PLATFORM.fileName("rocksdb_ffm");

  private final Map<String, byte[]> files = new LinkedHashMap<>();
  private final StringBuilder sums = new StringBuilder();

  PackedFiles add(String fileName, byte[] content) throws IOException {
    return add(fileName, content, sha256(content));
  }

  PackedFiles add(String fileName, byte[] content, String sha256) {
    files.put(fileName, content);
    sums.append(sha256).append("  ").append(fileName).append('\n');
    return this;
  }

  PackedFiles addSums(String line) {
    sums.append(line).append('\n');
    return this;
  }

  Path writeJar(Path jar) throws IOException {
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream entries = new JarOutputStream(out)) {
      for (var file : all().entrySet()) {
        entries.putNextEntry(new JarEntry(folder() + file.getKey()));
        entries.write(file.getValue());
      }
    }
    return jar;
  }

  Path writeFolder(Path root) throws IOException {
    Path folder = Files.createDirectories(root.resolve(folder()));
    for (var file : all().entrySet()) {
      Files.write(folder.resolve(file.getKey()), file.getValue());
    }
    return root;
  }

  /** Opens the native jar in a file or folder, without other class path entries. */
  static NativeJar open(Path jarOrFolder) throws IOException {
    return NativeJar.of(new URLClassLoader(new URL[] {jarOrFolder.toUri().toURL()}, null), PLATFORM, "1.2.3");
  }

  static String sha256(byte[] content) throws IOException {
    return Sha256.of(new ByteArrayInputStream(content));
  }

  /** Returns a library of the JDK that depends only on the C library, and is not RocksDB. */
  static byte[] smallLibrary() throws IOException {
    try (InputStream in =
        Files.newInputStream(Path.of(System.getProperty("java.home"), "lib", PLATFORM.fileName("jsig")))) {
      return in.readAllBytes();
    }
  }

  private Map<String, byte[]> all() {
    Map<String, byte[]> all = new LinkedHashMap<>(files);
    all.put("SHA256SUMS", sums.toString().getBytes(StandardCharsets.UTF_8));
    return all;
  }

  private static String folder() {
    return "META-INF/native/" + PLATFORM.name() + "/";
  }
}
