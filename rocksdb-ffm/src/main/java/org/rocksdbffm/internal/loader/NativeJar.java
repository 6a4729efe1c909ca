/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.internal.loader;

import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.ServiceLoader;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;

/** The libraries of one platform, as resources of a class loader. */
final class NativeJar {
  /** The index of the file name in a line of sha256sum: after the digest, a space, and a space or a star. */
  private static final int FILE_NAME = Sha256.LENGTH + 2;

  private static final String SUMS = "SHA256SUMS";

  private final ClassLoader loader;
  private final String folder;
  private final URL sums;
  private final Map<String, String> sha256s = new HashMap<>();
  private final Map<String, Long> crcs = new HashMap<>();

  private NativeJar(ClassLoader loader, String folder, URL sums) {
    this.loader = loader;
    this.folder = folder;
    this.sums = sums;
  }

  /** {@code version}: the core's version, for the message that asks for the jar. */
  static NativeJar of(ClassLoader loader, Platform platform, String version) {
    String folder = "META-INF/native/" + platform.name() + "/";
    boolean own = loader == NativeJar.class.getClassLoader();
    boolean beside = loader.getResource(folder + SUMS) != null;
    ClassLoader owner = beside ? loader : own ? ofModules(folder + SUMS) : null;
    if (owner == null) {
      throw new NativeLibraryError(
          ("RocksDB's native library for %1$s is neither on the class path nor among the resolved modules. Add the"
                  + " dependency org.rocksdbffm:rocksdb-ffm-native:%2$s:%1$s (group, artifact, version, classifier), on"
                  + " the class path or the module path. In an image of jlink's, say --add-modules %3$s when it is"
                  + " made; in a shaded jar, keep what is in META-INF/native.")
              .formatted(platform.name(), version, platform.moduleName()));
    }
    NativeJar jar = new NativeJar(owner, folder, owner.getResource(folder + SUMS));
    jar.readSums();
    return jar;
  }

  /** Searches the module layer, which may have several class loaders; returns null if none has the file. */
  private static ClassLoader ofModules(String sums) {
    ModuleLayer layer = NativeJar.class.getModule().getLayer();
    if (layer != null) {
      for (ServiceLoader.Provider<NativeModule> module : services(layer)) {
        ClassLoader loader = module.type().getClassLoader();
        if (loader.getResource(sums) != null) {
          return loader;
        }
      }
    }
    return null;
  }

  private static Iterable<ServiceLoader.Provider<NativeModule>> services(ModuleLayer layer) {
    return ServiceLoader.load(layer, NativeModule.class).stream()::iterator;
  }

  boolean has(String fileName) {
    return sha256s.containsKey(fileName);
  }

  PackedLibrary library(String fileName) {
    String sha256 = sha256s.get(fileName);
    URL url = loader.getResource(folder + fileName);
    if (sha256 == null || url == null) {
      throw damaged(sha256 == null ? "has no line for " + fileName : "names a missing " + fileName, null);
    }
    Long crc = isBesideSums(url, fileName) ? crcs.get(fileName) : null;
    return new PackedLibrary(fileName, sha256, crc == null ? OptionalLong.empty() : OptionalLong.of(crc), url);
  }

  private boolean isBesideSums(URL url, String fileName) {
    return url.toString().equals(sums.toString().substring(0, sums.toString().length() - SUMS.length()) + fileName);
  }

  /** Reads everything with the jar opened once, because opening a jar is slow at JVM start. */
  private void readSums() {
    try {
      URLConnection connection = PackedLibrary.connection(sums);
      if (connection instanceof JarURLConnection inJar) {
        try (JarFile jar = inJar.getJarFile()) {
          readSums(jar.getInputStream(inJar.getJarEntry()));
          for (String fileName : sha256s.keySet()) {
            readCrc(jar, fileName);
          }
        }
      } else {
        try (InputStream in = connection.getInputStream()) {
          readSums(in);
        }
      }
    } catch (IOException e) {
      throw damaged("cannot be read: " + e, e);
    }
  }

  private void readSums(InputStream in) throws IOException {
    String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    for (String line : text.isEmpty() ? new String[0] : text.split("\n")) {
      if (line.length() <= FILE_NAME || !Sha256.isText(line.substring(0, Sha256.LENGTH))) {
        throw damaged("has the line \"" + line + "\"", null);
      }
      sha256s.put(line.substring(FILE_NAME), line.substring(0, Sha256.LENGTH));
    }
  }

  private void readCrc(JarFile jar, String fileName) {
    ZipEntry entry = jar.getEntry(folder + fileName);
    if (entry != null && entry.getCrc() != -1) {
      crcs.put(fileName, entry.getCrc());
    }
  }

  private NativeLibraryError damaged(String what, IOException cause) {
    return new NativeLibraryError(
        "The native jar is damaged: " + sums + " " + what + ". Delete the jar and have it fetched or built anew.",
        cause);
  }
}
