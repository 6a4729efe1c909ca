/* Licensed under the Apache License, Version 2.0; see LICENSE. */

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Prepares published engines for the native jars. Usage: {@code PrepareEngines.java <tree> <folder of engines>}.
 *
 * <p>Refuses a 64-bit engine for Linux that does not export all functions that the core calls, as an engine of another
 * version does.
 *
 * <p>Gives each copy of an engine separate static variables. GCC marks static variables of inline functions and of
 * templates as unique in the process (STB_GNU_UNIQUE), and glibc resolves such symbols to the first loaded library: the
 * engine of rocksdbjni and the engine of this library would share their caches of JNI method IDs, which differ. This
 * program changes the binding of such symbols, a byte in the dynamic symbol table, to global, so that they are resolved
 * in their own library. Nothing else is changed. Libraries without such symbols, files that are not ELF, and 32-bit
 * libraries, which JDK 25 cannot load, are not changed.
 */
final class PrepareEngines {
  private static final int ELF = 0x7f454c46;
  private static final int SIZE_OF_HEADER = 64;
  private static final byte BITS_64 = 2;
  private static final byte LITTLE_ENDIAN = 1;
  private static final int DYNAMIC_SYMBOLS = 11;
  private static final int UNIQUE = 10;
  private static final int GLOBAL = 1;

  private PrepareEngines() {}

  public static void main(String[] arguments) throws IOException {
    Set<String> functions = EngineFunctions.of(Path.of(arguments[0]));
    try (Stream<Path> files = Files.list(Path.of(arguments[1]))) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        requireFunctions(file, functions);
        int changed = own(file);
        if (changed != 0) {
          System.out.println(file.getFileName() + ": " + changed + " static variables are its own now");
        }
      }
    }
  }

  private static void requireFunctions(Path file, Set<String> functions) throws IOException {
    try (FileChannel library = FileChannel.open(file)) {
      ByteBuffer header = read(library, 0, (int) Math.min(SIZE_OF_HEADER, library.size()));
      if (!isElf64(header)) {
        return;
      }
    }
    Set<String> missing = EngineFunctions.missing(functions, new Elf(Files.readAllBytes(file)).exports());
    if (!missing.isEmpty()) {
      System.err.println(
          ("%s lacks %d of the %d functions that are called: %s. Set rocksdb.version in pom.xml to the version of the"
                  + " bindings, or regenerate them (CONTRIBUTING.md).")
              .formatted(file.getFileName(), missing.size(), functions.size(), missing));
      System.exit(1);
    }
  }

  private static boolean isElf64(ByteBuffer header) {
    return header.limit() == SIZE_OF_HEADER && header.getInt(0) == ELF && header.get(4) == BITS_64;
  }

  private static int own(Path file) throws IOException {
    try (FileChannel library = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer header = read(library, 0, (int) Math.min(SIZE_OF_HEADER, library.size()));
      if (!isElf64(header)) {
        return 0;
      }
      ByteOrder order = header.get(5) == LITTLE_ENDIAN ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
      return ownAll(library, header.order(order));
    }
  }

  private static int ownAll(FileChannel library, ByteBuffer header) throws IOException {
    int size = Short.toUnsignedInt(header.getShort(58));
    int count = Short.toUnsignedInt(header.getShort(60));
    ByteBuffer sections = read(library, header.getLong(40), size * count).order(header.order());
    int changed = 0;
    for (int section = 0; section < sections.limit(); section += size) {
      if (sections.getInt(section + 4) == DYNAMIC_SYMBOLS) {
        long at = sections.getLong(section + 24);
        changed += ownThose(library, at, Math.toIntExact(sections.getLong(section + 32)),
            sections.getLong(section + 56));
      }
    }
    return changed;
  }

  private static int ownThose(FileChannel library, long at, int size, long entry) throws IOException {
    ByteBuffer symbols = read(library, at, size);
    int changed = 0;
    for (int symbol = 0; symbol < size; symbol += Math.toIntExact(entry)) {
      int info = Byte.toUnsignedInt(symbols.get(symbol + 4));
      if (info >> 4 == UNIQUE) {
        symbols.put(symbol + 4, (byte) (GLOBAL << 4 | info & 0xf));
        changed++;
      }
    }
    while (changed != 0 && symbols.hasRemaining()) {
      library.write(symbols, at + symbols.position());
    }
    return changed;
  }

  private static ByteBuffer read(FileChannel library, long at, int size) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(size);
    while (bytes.hasRemaining()) {
      if (library.read(bytes, at + bytes.position()) < 0) {
        throw new IOException("the file ends before its tables do");
      }
    }
    return bytes.flip();
  }
}
