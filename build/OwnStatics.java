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
 * Lets each copy of a published engine have its static variables for itself. GCC marks those of inline functions and of
 * templates unique in the process (STB_GNU_UNIQUE), and glibc then gives all libraries that are loaded the first one's:
 * an engine that the JVM loads for rocksdbjni and one that we load would share their caches of JNI's method IDs, which
 * mean something else in each. The mark is taken away, one byte of a symbol in the table of dynamic symbols; the symbol
 * is global then, as others are, and found in its own library first. Nothing else is changed.
 *
 * <p>Usage: {@code OwnStatics.java <folder of engines>}. Libraries that have no such symbols, are no ELF files, or are of 32
 * bits, which no JDK of ours loads, stay as they are.
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
