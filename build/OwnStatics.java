/* Licensed under the Apache License, Version 2.0; see LICENSE. */

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;

/**
 * Gives each copy of a published engine separate static variables. GCC marks static variables of inline functions and
 * of templates as unique in the process (STB_GNU_UNIQUE), and glibc resolves such symbols to the first loaded library:
 * the engine of rocksdbjni and the engine of this library would share their caches of JNI method IDs, which differ.
 * This program changes the binding of such symbols, a byte in the dynamic symbol table, to global, so that they are
 * resolved in their own library. Nothing else is changed.
 *
 * <p>Usage: {@code OwnStatics.java <folder of engines>}. Libraries without such symbols, files that are not ELF, and
 * 32-bit libraries, which JDK 25 cannot load, are not changed.
 */
final class OwnStatics {
  private static final int ELF = 0x7f454c46;
  private static final int SIZE_OF_HEADER = 64;
  private static final byte BITS_64 = 2;
  private static final byte LITTLE_ENDIAN = 1;
  private static final int DYNAMIC_SYMBOLS = 11;
  private static final int UNIQUE = 10;
  private static final int GLOBAL = 1;

  private OwnStatics() {}

  public static void main(String[] arguments) throws IOException {
    try (Stream<Path> files = Files.list(Path.of(arguments[0]))) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        int changed = own(file);
        if (changed != 0) {
          System.out.println(file.getFileName() + ": " + changed + " static variables are its own now");
        }
      }
    }
  }

  private static int own(Path file) throws IOException {
    try (FileChannel library = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer header = read(library, 0, (int) Math.min(SIZE_OF_HEADER, library.size()));
      if (header.limit() < SIZE_OF_HEADER || header.getInt(0) != ELF || header.get(4) != BITS_64) {
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
        changed += ownThose(library, at, Math.toIntExact(sections.getLong(section + 32)), sections.getLong(section + 56));
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
