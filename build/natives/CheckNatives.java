/* Licensed under the Apache License, Version 2.0; see LICENSE. */

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Checks the files of libraries that the build's machine cannot run: {@code CheckNatives.java <tree> <folder of all
 * platforms>}. A library must be for the processor of its platform, export the functions that are called, and require
 * only libraries that each system has. A library for macOS must be a dylib for version 11 with a valid signature of
 * each page, because macOS on AArch64 does not load it otherwise. Prints each error, and exits with 1 if there is one.
 */
final class CheckNatives {
  private static final Pattern EXPORTED = Pattern.compile("ROCKSDB_FFM_(?:CXX_)?API [^(;]*?\\b(rocksdb_ffm_\\w+)\\(");
  private static final Set<String> OF_MACOS = Set.of("/usr/lib/libSystem.B.dylib", "/usr/lib/libc++.1.dylib");
  /** The symbol with the ABI version, and symbols that the macOS linker adds to each library. */
  private static final Pattern OF_LINKERS =
      Pattern.compile("rocksdb_ffm_(?:cxx_)?abi_\\d+|__dso_handle|_mh_dylib_header");

  private static final String STUBS = "librocksdb_ffm";
  private static final String CXX_STUBS = "librocksdb_ffm_cxx";
  private static final String ENGINE = "librocksdb";

  private final Path folder;
  private final Set<String> ofStubs = new TreeSet<>();
  private final Set<String> ofCxxStubs = new TreeSet<>();
  private final Set<String> ofEngine = new TreeSet<>();
  private final List<String[]> ofCxxEngine;
  private final List<String> wrong = new ArrayList<>();

  private CheckNatives(Path tree, Path folder) throws IOException {
    this.folder = folder;
    for (String header : List.of("rocksdb_ffm.h", "rocksdb_ffm_state.h")) {
      EXPORTED.matcher(Files.readString(tree.resolve("native-stubs/include").resolve(header)))
          .results()
          .forEach(function -> ofStubs.add(function.group(1)));
    }
    ofEngine.addAll(EngineFunctions.of(tree));
    EXPORTED.matcher(Files.readString(tree.resolve("native-stubs/include/rocksdb_ffm_cxx.h")))
        .results()
        .forEach(function -> ofCxxStubs.add(function.group(1)));
    ofCxxEngine =
        Files.readAllLines(tree.resolve("native-stubs/cxx-symbols.txt")).stream()
            .filter(row -> !row.startsWith("#"))
            .map(row -> row.split(" +"))
            .toList();
  }

  public static void main(String[] arguments) throws IOException {
    Path tree = Path.of(arguments[0]);
    var check = new CheckNatives(tree, Path.of(arguments[1]));
    int libraries = 0;
    for (String line : Files.readAllLines(tree.resolve("native-stubs/platforms.txt"))) {
      if (!line.startsWith("#")) {
        check.checkPlatform(line.split(" +"));
        libraries += line.contains(" Darwin ") ? 2 : 3;
      }
    }
    check.wrong.forEach(System.err::println);
    System.out.println(libraries + " libraries were looked through: " + check.ofStubs.size()
        + " functions of the stubs and "
        + check.ofEngine.size() + " of the engine are where they are called");
    System.exit(check.wrong.isEmpty() ? 0 : 1);
  }

  private void checkPlatform(String[] row) throws IOException {
    String platform = row[0];
    boolean ofMac = row[2].equals("Darwin");
    Path natives = folder.resolve(platform).resolve("META-INF/native").resolve(platform);
    for (String name : ofMac ? List.of(ENGINE, STUBS) : List.of(ENGINE, STUBS, CXX_STUBS)) {
      Path file = natives.resolve(name + (ofMac ? ".dylib" : ".so"));
      Set<String> called = name.equals(ENGINE) ? ofEngine : name.equals(STUBS) ? ofStubs : ofCxxStubs;
      byte[] bytes = Files.readAllBytes(file);
      String what = platform + "/" + file.getFileName();
      if (ofMac) {
        checkMac(what, new MachO(bytes), row[3], name.equals(STUBS), called);
      } else {
        Elf library = new Elf(bytes);
        checkLinux(what, library, row, name, called);
        if (name.equals(ENGINE)) {
          checkCxx(what, library);
        }
      }
    }
  }

  private void checkMac(String what, MachO library, String processor, boolean isStubs, Set<String> called) {
    require(library.processor().equals(processor), what + " is for " + library.processor());
    require(library.isDylib(), what + " is no dylib");
    String target = "11.0";
    require(
        Version.of(library.leastVersion()).compareTo(Version.of(target)) <= 0,
        what + " needs macOS " + library.leastVersion());
    require(OF_MACOS.containsAll(library.needed()), what + " needs " + library.needed());
    checkExports(what, library.exports(), isStubs, called);
    if (processor.equals("arm64") || library.isSigned()) {
      require(library.isSigned(), what + " is not signed");
      require(library.isSignatureOfItsPages(), what + " was changed after it was signed");
    }
    if (isStubs) {
      require(library.name().equals("@rpath/librocksdb_ffm.dylib"), what + " has the name " + library.name());
    }
  }

  /** The C++ stubs rely on these functions, and on the order of virtual functions. */
  private void checkCxx(String what, Elf engine) {
    for (String[] row : ofCxxEngine) {
      if (row[0].equals("slot")) {
        String found = engine.slot(row[1], Integer.parseInt(row[2]));
        require(row[3].equals(found),
            "%s has %s in slot %s of %s, and not %s".formatted(what, found, row[2], row[1], row[3]));
      } else {
        require(engine.exports().contains(row[2]), what + " does not export " + row[2]);
      }
    }
  }

  private void checkLinux(String what, Elf library, String[] row, String name, Set<String> called) {
    boolean isStubs = !name.equals(ENGINE);
    require(library.processor().equals(row[3]), what + " is for " + library.processor());
    checkExports(what, library.exports(), isStubs, called);
    boolean callsLibatomic = library.imports().stream().anyMatch(symbol -> symbol.startsWith("__atomic_"));
    boolean isOpenedForIt = row[0].equals("linux-riscv64") && !isStubs; // see Platform.unnamedByEngine
    require(
        callsLibatomic == isOpenedForIt || library.needed().contains("libatomic.so.1"),
        what + (callsLibatomic ? " calls" : " no longer calls") + " libatomic, which it does not name");
    if (isStubs) {
      boolean musl = row[0].endsWith("-musl");
      String libc = musl ? "libc.so" : "libc.so.6";
      Set<String> others = new TreeSet<>(library.needed());
      others.removeIf(other -> other.equals(libc) || !musl && other.matches("libpthread.so.0|ld-?.*|libdl.so.2"));
      if (name.equals(CXX_STUBS)) {
        others.removeAll(Set.of("libstdc++.so.6", "libgcc_s.so.1")); // the engine needs both
        // The engine's functions are called through a table, whose symbols cxx-symbols.txt lists.
        library.imports().stream().filter(symbol -> symbol.contains("rocksdb"))
            .forEach(symbol -> require(false, what + " imports " + symbol));
      }
      require(others.isEmpty(), what + " needs " + others);
    }
    if (!row[0].endsWith("-musl")) {
      String target = row[4].substring(row[4].indexOf("gnu.") + "gnu.".length());
      require(
          library.glibc().compareTo(Version.of(target)) <= 0,
          what + " needs glibc " + library.glibc() + ", which is newer than " + target);
    }
  }

  private void checkExports(String what, Set<String> exports, boolean isStubs, Set<String> called) {
    Set<String> missing = EngineFunctions.missing(called, exports);
    require(missing.isEmpty(), what + " does not export " + missing);
    if (isStubs) {
      Set<String> more = new TreeSet<>(exports);
      more.removeAll(called);
      more.removeIf(name -> OF_LINKERS.matcher(name).matches());
      require(more.isEmpty(), what + " also exports " + more);
    }
  }

  private void require(boolean isRight, String otherwise) {
    if (!isRight) {
      wrong.add(otherwise);
    }
  }
}
