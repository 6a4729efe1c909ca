/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.folder;

import static java.util.Objects.requireNonNull;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * A path of the default file system, with the exact bytes that the operating system gets.
 *
 * @param path absolute
 * @param bytes the bytes of the path, without a final NUL
 */
public record FolderPath(Path path, byte[] bytes) {
  private static final int HEX = 16;

  /** Returns the path of a folder; refuses paths that the engine would misinterpret. */
  public static FolderPath of(Path folder) {
    return of("folder", folder);
  }

  /** Returns the path of a folder or file; refuses paths that the engine would misinterpret. */
  public static FolderPath of(String parameter, Path folder) {
    requireNonNull(folder, parameter);
    if (folder.getFileSystem() != FileSystems.getDefault()) {
      throw new IllegalArgumentException(
          parameter + ": " + folder + " is a path of " + folder.getFileSystem() + " (" + folder.getFileSystem().provider().getScheme()
              + "); the engine reads and writes the default file system alone");
    }
    if (folder.toString().isEmpty()) {
      throw new IllegalArgumentException(parameter + ": the path is empty; Path.of(\".\") is the working folder");
    }
    Path path = folder.toAbsolutePath();
    return new FolderPath(path, bytesOf(path));
  }

  /**
   * File names need not be text in Java's encoding, so the string may be ambiguous. The URI escapes each byte that is
   * not a plain letter.
   */
  private static byte[] bytesOf(Path path) {
    String text = path.toString();
    if (isPlain(text)) {
      return text.getBytes(StandardCharsets.ISO_8859_1);
    }
    String raw = path.toUri().getRawPath();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(raw.length());
    for (int i = 0; i < raw.length(); i++) {
      char c = raw.charAt(i);
      if (c == '%') {
        bytes.write(Integer.parseInt(raw, i + 1, i + 3, HEX));
        i += 2;
      } else {
        bytes.write(c);
      }
    }
    byte[] all = bytes.toByteArray();
    boolean slashAdded = all.length > 1 && all[all.length - 1] == '/'; // a folder's URI ends with a slash
    return slashAdded ? Arrays.copyOf(all, all.length - 1) : all;
  }

  private static boolean isPlain(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) >= 0x80) {
        return false;
      }
    }
    return true;
  }

  /** Returns the path without links and {@code ..}, as passed to the engine. */
  public FolderPath real() {
    try {
      return of(real(path));
    } catch (IOException e) {
      return this; // the engine reports it
    }
  }

  /** Returns a path without links and {@code ..}, resolved as far as it exists. */
  static Path real(Path path) throws IOException {
    Path parent = path.getParent();
    return Files.exists(path)
        ? path.toRealPath()
        : parent == null || !Files.exists(parent) ? path.normalize() : parent.toRealPath().resolve(path.getFileName());
  }

  /** Whether two paths lead to the same folder, through any links and mounts. */
  public static boolean isSame(Path a, Path b) throws IOException {
    return real(a).equals(real(b)) || Files.exists(a) && Files.exists(b) && Files.isSameFile(a, b);
  }

  /** Whether a path leads to a folder, or into it. */
  public static boolean isWithin(Path inner, Path folder) throws IOException {
    for (Path at = real(inner); at != null; at = at.getParent()) {
      if (isSame(at, folder)) {
        return true;
      }
    }
    return false;
  }

  /** Returns the entries of a folder. */
  public static List<Path> entries(Path folder) throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FolderPath that && path.equals(that.path);
  }

  @Override
  public int hashCode() {
    return path.hashCode();
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
