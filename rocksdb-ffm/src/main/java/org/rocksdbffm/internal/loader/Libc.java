/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.internal.loader;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The C library of a Linux process. Told by reading files only: starting {@code ldd} costs a process, and fails where
 * there is no shell.
 */
enum Libc {
  GNU,
  MUSL;

  private static final String DELETED = " (deleted)";
  private static final int ELF_HEADER_SIZE = 64;
  private static final int PROGRAM_HEADER_SIZE = 56;
  private static final int INTERPRETER = 3;

  static Libc ofThisProcess() {
    return of(Path.of("/proc/self/maps"), Path.of(System.getProperty("java.home"), "bin", "java"));
  }

  /** The mapped one is the truth; the one that the executable asks for is the next best where /proc is not mounted. */
  static Libc of(Path maps, Path executable) {
    Optional<Libc> mapped = mapped(maps);
    return mapped.isPresent() ? mapped.get() : requested(executable).orElse(GNU);
  }

  private static Optional<Libc> mapped(Path maps) {
    try {
      for (String line : Files.readString(maps, StandardCharsets.ISO_8859_1).split("\n")) {
        Libc libc = ofMapping(line);
        if (libc != null) {
          return Optional.of(libc);
        }
      }
    } catch (IOException unreadable) {
      return Optional.empty();
    }
    return Optional.empty();
  }

  /** Musl's library is its dynamic linker at the same time, and installed under either name. */
  private static Libc ofMapping(String line) {
    String path = line.endsWith(DELETED) ? line.substring(0, line.length() - DELETED.length()) : line;
    String file = path.substring(path.lastIndexOf('/') + 1);
    if (file.equals("libc.so.6") || file.startsWith("libc-2")) {
      return GNU;
    }
    return file.startsWith("ld-musl-") || file.equals("libc.so") ? MUSL : null;
  }

  private static Optional<Libc> requested(Path executable) {
    try (RandomAccessFile file = new RandomAccessFile(executable.toFile(), "r")) {
      return interpreter(file).map(path -> path.contains("/ld-musl-") ? MUSL : GNU);
    } catch (IOException unreadable) {
      return Optional.empty();
    }
  }

  private static Optional<String> interpreter(RandomAccessFile file) throws IOException {
    ByteBuffer header = read(file, 0, ELF_HEADER_SIZE);
    boolean elf64 = header.remaining() == ELF_HEADER_SIZE && header.getInt(0) == 0x7f454c46 && header.get(4) == 2;
    if (!elf64) {
      return Optional.empty();
    }
    header.order(header.get(5) == 2 ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < header.getShort(56); i++) {
      long offset = header.getLong(32) + (long) i * header.getShort(54);
      ByteBuffer program = read(file, offset, PROGRAM_HEADER_SIZE).order(header.order());
      if (program.remaining() == PROGRAM_HEADER_SIZE && program.getInt(0) == INTERPRETER) {
        int size = Math.clamp(program.getLong(32), 0, 4096);
        ByteBuffer path = read(file, program.getLong(8), size);
        return Optional.of(StandardCharsets.ISO_8859_1.decode(path).toString());
      }
    }
    return Optional.empty();
  }

  private static ByteBuffer read(RandomAccessFile file, long position, int size) throws IOException {
    if (position < 0) {
      throw new IOException("not an offset: " + position);
    }
    byte[] bytes = new byte[size];
    file.seek(position);
    int read = Math.max(file.read(bytes), 0);
    return ByteBuffer.wrap(bytes, 0, read);
  }
}
