/* Licensed under the Apache License, Version 2.0; see LICENSE. */

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The file of a 64-bit shared library for Linux: its processor, exports and required libraries. */
final class Elf {
  private static final int LITTLE_ENDIAN = 1;
  private static final int DYNAMIC_SYMBOLS = 11;
  private static final int RELOCATIONS = 4;
  private static final int WORD = 8;
  private static final int DYNAMIC = 6;
  private static final int NEEDED = 1;
  private static final int LOCAL = 0;
  private static final int DEFAULT_VISIBILITY = 0;
  private static final Map<Integer, String> PROCESSORS =
      Map.of(62, "x86_64", 183, "aarch64", 243, "riscv64", 21, "ppc64le", 22, "s390x");
  private static final Pattern GLIBC = Pattern.compile("GLIBC_(2\\.[0-9.]+)");

  private final ByteBuffer file;
  private final Set<String> exports = new TreeSet<>();
  private final Set<String> imports = new TreeSet<>();
  private final Set<String> needed = new TreeSet<>();
  private final List<String> symbols = new ArrayList<>();
  private final Map<String, Long> addresses = new HashMap<>();
  private final Map<Long, String> pointers = new HashMap<>();
  private Version glibc = Version.of("2.0");

  Elf(byte[] bytes) {
    file = ByteBuffer.wrap(bytes);
    if (file.getInt(0) != 0x7f454c46) {
      throw new IllegalArgumentException("no ELF file");
    }
    file.order(file.get(5) == LITTLE_ENDIAN ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
    int sections = Math.toIntExact(file.getLong(40));
    int size = file.getShort(58);
    int count = Short.toUnsignedInt(file.getShort(60));
    for (int section = sections; section < sections + count * size; section += size) {
      int strings = sections + file.getInt(section + 40) * size;
      switch (file.getInt(section + 4)) {
        case DYNAMIC_SYMBOLS -> readSymbols(section, offset(strings), length(strings));
        case DYNAMIC -> readDynamic(section, offset(strings));
        default -> { }
      }
    }
    for (int section = sections; section < sections + count * size; section += size) {
      if (file.getInt(section + 4) == RELOCATIONS) {
        readRelocations(section);
      }
    }
  }

  private int offset(int section) {
    return Math.toIntExact(file.getLong(section + 24));
  }

  private int length(int section) {
    return Math.toIntExact(file.getLong(section + 32));
  }

  private void readSymbols(int section, int strings, int size) {
    for (int symbol = offset(section); symbol < offset(section) + length(section); symbol += 24) {
      String name = text(strings + file.getInt(symbol));
      symbols.add(name);
      addresses.put(name, file.getLong(symbol + 8));
      boolean isLocal = Byte.toUnsignedInt(file.get(symbol + 4)) >> 4 == LOCAL;
      boolean isDefined = file.getShort(symbol + 6) != 0;
      if (!isLocal && isDefined && (file.get(symbol + 5) & 3) == DEFAULT_VISIBILITY) {
        exports.add(name);
      } else if (!isLocal && !isDefined) {
        imports.add(name);
      }
    }
    var names = new String(file.array(), strings, size, StandardCharsets.ISO_8859_1);
    GLIBC.matcher(names).results().map(name -> Version.of(name.group(1))).filter(one -> one.compareTo(glibc) > 0)
        .forEach(one -> glibc = one);
  }

  /** Reads which word the loader fills with the address of which symbol; a relative relocation has no symbol. */
  private void readRelocations(int section) {
    for (int entry = offset(section); entry < offset(section) + length(section); entry += 24) {
      int symbol = (int) (file.getLong(entry + 8) >>> 32);
      if (symbol != 0) {
        pointers.put(file.getLong(entry), symbols.get(symbol));
      }
    }
  }

  /** Returns the function in a slot of a vtable, which starts with two other words; null if it has no symbol. */
  String slot(String vtable, int index) {
    Long address = addresses.get(vtable);
    return address == null ? null : pointers.get(address + (2L + index) * WORD);
  }

  private void readDynamic(int section, int strings) {
    for (int entry = offset(section); entry < offset(section) + length(section); entry += 16) {
      if (file.getLong(entry) == NEEDED) {
        needed.add(text(strings + Math.toIntExact(file.getLong(entry + 8))));
      }
    }
  }

  private String text(int at) {
    int end = at;
    while (file.get(end) != 0) {
      end++;
    }
    return new String(file.array(), at, end - at, StandardCharsets.UTF_8);
  }

  String processor() {
    return PROCESSORS.getOrDefault((int) file.getShort(18), "another processor");
  }

  Set<String> exports() {
    return exports;
  }

  /** Returns the undefined symbols, which other libraries must define. */
  Set<String> imports() {
    return imports;
  }

  Set<String> needed() {
    return needed;
  }

  /** Returns the newest glibc version that a symbol requires. */
  Version glibc() {
    return glibc;
  }
}
