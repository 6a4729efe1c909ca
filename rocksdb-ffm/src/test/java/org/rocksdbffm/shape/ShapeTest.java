/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.shape;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdbffm.shape.CompiledClasses.BINDINGS;
import static org.rocksdbffm.shape.CompiledClasses.INTERNAL;
import static org.rocksdbffm.shape.CompiledClasses.PUBLIC;
import static org.rocksdbffm.shape.CompiledClasses.lines;
import static org.rocksdbffm.shape.CompiledClasses.nameOf;
import static org.rocksdbffm.shape.CompiledClasses.packageOf;
import static org.rocksdbffm.shape.CompiledClasses.simple;
import static org.rocksdbffm.shape.CompiledClasses.topLevel;
import static org.rocksdbffm.shape.CompiledClasses.usersOf;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.AttributedElement;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.ModuleAttribute;
import java.lang.classfile.instruction.LineNumber;
import java.lang.reflect.AccessFlag;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.shape.CompiledClasses.Use;

/** Tests the architecture: which packages and classes may use which. A change here is a decision, not a detail. */
class ShapeTest {
  private static final String LOADER = INTERNAL + ".loader";

  /** The packages from the lowest layer up: each uses only packages before it. The public package uses all of them. */
  private static final List<String> PACKAGES =
      Stream.of(
              "loader", // finds the engine's library and opens it
              "c", // generated: the engine's functions and structs
              "jfr",
              "watch", // the open databases, for monitoring
              "codec",
              "format", // the engine's formats of WAL and batches
              "options.table",
              "options",
              "foreign",
              "exit",
              "leak",
              "lifetime",
              "call",
              "callback",
              "order",
              "settings",
              "folder",
              "pin",
              "db",
              "transaction",
              "upkeep", // operations on an open database other than reads and writes
              "opening",
              "files", // copies: checkpoints and backups
              "ingest", // table files from outside of the database
              "reports",
              "read",
              "scan",
              "write",
              "handoff")
          .map(name -> INTERNAL + "." + name)
          .toList();

  private static final int MOST_FILES = 20;
  private static final int MOST_LINES_OF_METHODS = 70;

  /**
   * The maximum number of lines of code of a package, except for the listed packages. Imports, blank lines and comments
   * are not counted.
   */
  private static final int MOST_LINES = 1_100;

  private static final Pattern COMMENT = Pattern.compile("(?s:/\\*.*?\\*/)|(?m:^ *//.*$)");

  /** Types of immutable objects; native memory is included, because it is written before it is shared. */
  private static final Pattern VALUES =
      Pattern.compile(
          "java\\.(lang\\.(foreign|invoke)|time|util\\.regex|util\\.function)\\..*|java\\.lang\\.\\w+|"
          + "java\\.nio\\.(file|charset)\\..*"
              + "|java\\.util\\.(List|Map|Set|HexFormat|concurrent\\.atomic\\.Atomic(Integer|Long)FieldUpdater)");

  private static final Map<String, Integer> MOST_LINES_OF =
      Map.of(
          PUBLIC, 7_300,
          INTERNAL + ".folder", 2_061,
          INTERNAL + ".files", 1_405,
          INTERNAL + ".ingest", 1_130,
          INTERNAL + ".scan", 1_170,
          INTERNAL + ".settings", 1_285,
          INTERNAL + ".read", 1_510,
          INTERNAL + ".format", 1_190);

  @Test
  void theDoorIsNarrow() throws IOException {
    long types;
    try (Stream<Path> files = Files.list(Path.of("src/main/java/org/rocksdbffm"))) {
      types = files.filter(Files::isRegularFile).filter(ShapeTest::isOfAPublicType).count();
    }
    long methods =
        Stream.of(RocksDb.class.getMethods())
            .filter(method -> method.getDeclaringClass() != Object.class)
            .map(method -> method.getName() + List.of(method.getParameterTypes()))
            .distinct()
            .count();
    System.out.println("public types of org.rocksdbffm: " + types + ", public methods of RocksDb: " + methods);
    assertTrue(types <= 77, "public types: " + types);
    assertTrue(methods <= 75, "public methods of RocksDb: " + methods);
  }

  private static boolean isOfAPublicType(Path file) {
    try {
      return Pattern.compile("^public ", Pattern.MULTILINE).matcher(Files.readString(file)).find();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void packagesUseOnlyWhatIsBelowThem() {
    Set<String> upward = new TreeSet<>();
    for (ClassModel type : CompiledClasses.under(INTERNAL)) {
      String from = packageOf(nameOf(type));
      CompiledClasses.classesNamedBy(type).stream()
          .map(CompiledClasses::packageOf)
          .filter(to -> !to.equals(from) && !to.equals(PUBLIC)) // only exceptions, see below
          .filter(to -> PACKAGES.indexOf(to) >= PACKAGES.indexOf(from))
          .forEach(to -> upward.add(nameOf(type) + " -> " + to));
    }
    assertEquals(Set.of(), upward);
  }

  @Test
  void everyInternalPackageHasItsPlaceAndAtMostTwentyFiles() {
    TreeMap<String, Set<String>> files = new TreeMap<>();
    for (ClassModel type : CompiledClasses.under(INTERNAL)) {
      files.computeIfAbsent(packageOf(nameOf(type)), names -> new TreeSet<>()).add(topLevel(nameOf(type)));
    }
    assertEquals(new TreeSet<>(PACKAGES), files.keySet());
    files.remove(BINDINGS); // generated
    files.values().removeIf(names -> names.size() <= MOST_FILES);
    assertEquals(Map.of(), files);
  }

  @Test
  void internalClassesKnowOfThePublicOnesTheExceptionsAlone() {
    Set<String> users = new TreeSet<>();
    Set<String> used = new TreeSet<>();
    for (ClassModel type : CompiledClasses.under(INTERNAL)) {
      for (String name : CompiledClasses.classesNamedBy(type)) {
        if (packageOf(name).equals(PUBLIC)) {
          users.add(simple(topLevel(nameOf(type))));
          used.add(simple(topLevel(name)));
        }
      }
    }
    assertEquals(Set.of("PinLimitException", "RocksDbException"), used);
    assertEquals(Set.of(
            "BackgroundError", "BackupFolder", "BatchCheck", "DatabaseFolders", "DatabasePath", "EncryptedTables",
            "EngineParts", "EventSource", "ExportMetadata", "FolderClaim",
            "Ingestion", "MultiRead", "NativeBackups", "NativeExport", "NativeLog", "NativeTable", "NativeTransaction",
            "OpenErrorHints", "OverlayPath", "OverlayWrites", "PinLedger", "RawEvent", "ReadPath", "RecoveredLocks",
            "Refused", "Repairing", "RoomRecovery", "SnapshotUse", "StagingFolder", "Status", "StatusAdvice",
            "TableEntries", "TableFiles"),
        users);
  }

  @Test
  void fromGetToTheStubNothingNamesAComparatorACallbackOrTheDropIn() throws IOException {
    Pattern others = Pattern.compile("(?i)comparator|callback|drop-in|dropin");
    for (String file :
        List.of(
            "KeyReader",
            "internal/read/ReadPath",
            "internal/call/Call",
            "internal/call/CallMemory",
            "internal/call/Handle",
            "internal/call/Reentrance",
            "internal/foreign/Memory",
            "internal/foreign/StackRoom")) {
      String text = Files.readString(Path.of("src/main/java/org/rocksdbffm", file + ".java"));
      String code = text.replaceAll("(?s)/\\*.*?\\*/|//[^\n]*", "");
      assertEquals(List.of(), others.matcher(code).results().map(MatchResult::group).toList(), file);
    }
  }

  @Test
  void onlyTheStatusMakesTheExceptionOfTheEngine() {
    assertEquals(
        Set.of(INTERNAL + ".call.Status"),
        usersOf(use -> use.owner().equals(RocksDbException.class.getName()) && use.member().equals("<init>")));
  }

  @Test
  void memoryGetsASizeOrALifetimeInOnePlace() {
    assertEquals(
        Set.of(INTERNAL + ".foreign.Memory", LOADER + ".Posix"),
        handwrittenUsersOf("java.lang.foreign.MemorySegment", "reinterpret"));
  }

  @Test
  void addressesBecomeSegmentsInInternalClassesAlone() {
    assertEquals(
        Set.of(
            INTERNAL + ".callback.Callback",
            INTERNAL + ".opening.FileListener",
            INTERNAL + ".foreign.Memory",
            INTERNAL + ".callback.NativeFilterFactory",
            INTERNAL + ".call.Status",
            INTERNAL + ".foreign.Upcalls"),
        handwrittenUsersOf("java.lang.foreign.MemorySegment", "ofAddress"));
  }

  @Test
  void onlyTheLibrariesLiveForEver() {
    assertEquals(
        Set.of(LOADER + ".SharedLibrary"),
        handwrittenUsersOf("java.lang.foreign.Arena", "global"));
  }

  @Test
  void noArenaIsShared() {
    assertEquals(Set.of(), handwrittenUsersOf("java.lang.foreign.Arena", "ofShared"));
  }

  @Test
  void functionsAreLinkedByTheBindingsAndFewOthers() {
    assertEquals(Set.of(LOADER + ".Linking"), handwrittenUsersOf("java.lang.foreign.Linker", "downcallHandle"));
    assertEquals(
        Set.of(INTERNAL + ".foreign.LargeCopy", INTERNAL + ".format.Zstandard", LOADER + ".Posix"),
        handwrittenUsersOf(LOADER + ".Linking", "downcall"));
    assertEquals(
        Set.of(INTERNAL + ".foreign.Downcalls", LOADER + ".Linking"),
        handwrittenUsersOf(LOADER + ".Linking", "downcallNow"));
    assertEquals(Set.of(INTERNAL + ".foreign.Upcalls"), handwrittenUsersOf("java.lang.foreign.Linker", "upcallStub"));
  }

  @Test
  void librariesAreOpenedInOnePlace() {
    assertEquals(
        Set.of(LOADER + ".SharedLibrary"), handwrittenUsersOf("java.lang.foreign.SymbolLookup", "libraryLookup"));
    assertEquals(Set.of(), handwrittenUsersOf("java.lang.foreign.SymbolLookup", "loaderLookup"));
    assertEquals(
        Set.of(), usersOf(use -> Set.of("System.load", "System.loadLibrary", "Runtime.load").contains(use.what())));
  }

  /** Returns the users of a member, without the classes that jextract generates. */
  private static Set<String> handwrittenUsersOf(String owner, String member) {
    Set<String> users = usersOf(use -> use.owner().equals(owner) && use.member().equals(member));
    users.removeIf(user -> packageOf(user).equals(BINDINGS));
    return users;
  }

  @Test
  void thePublicPackageNamesNothingThatReachesPastItsMemory() {
    Set<String> forbidden =
        Set.of(
            "MemorySegment.reinterpret",
            "MemorySegment.ofAddress",
            "Arena.global",
            "Arena.ofShared",
            "AddressLayout.withTargetLayout",
            "ModuleLayer$Controller.enableNativeAccess");
    Set<String> found = new TreeSet<>();
    for (ClassModel type : CompiledClasses.shown()) {
      CompiledClasses.usesOf(type)
          .filter(use -> forbidden.contains(use.what()) || isOfLinking(use.owner()))
          .forEach(use -> found.add(use.user() + " uses " + use.what()));
    }
    assertEquals(Set.of(), found);
  }

  private static boolean isOfLinking(String owner) {
    return topLevel(owner).equals("java.lang.foreign.Linker") || owner.equals("java.lang.foreign.SymbolLookup");
  }

  @Test
  void methodHandlesAreInvokedByTheBindingsAndWhatIsLinkedAgainAlone() {
    Set<String> users =
        usersOf(use -> Set.of("MethodHandle.invokeExact", "MethodHandle.invoke").contains(use.what()));
    users.removeIf(user -> packageOf(user).equals(BINDINGS));
    assertEquals(
        Set.of(
            INTERNAL + ".codec.RecordForm", // accessors and constructors of records
            INTERNAL + ".foreign.HotCalls",
            INTERNAL + ".foreign.Critical",
            INTERNAL + ".foreign.Downcalls",
            INTERNAL + ".foreign.LargeCopy",
            INTERNAL + ".format.Zstandard"),
        users);
    // Called once or twice in a process, so its cost does not matter.
    assertEquals(
        Set.of(LOADER + ".Posix"),
        usersOf(use -> use.what().equals("MethodHandle.invokeWithArguments")));
  }

  @Test
  void theModuleExportsThePublicPackageToEverybodyAndTheRestToItsOwnModules() throws IOException {
    ModuleAttribute module =
        CompiledClasses.moduleDescriptor().findAttribute(Attributes.module()).orElseThrow();
    assertEquals(
        List.of(
            "org/rocksdbffm to []",
            "org/rocksdbffm/reports to []",
            "org/rocksdbffm/internal/c to [org.rocksdbffm.compat]",
            "org/rocksdbffm/internal/call to [org.rocksdbffm.compat]",
            "org/rocksdbffm/internal/callback to [org.rocksdbffm.compat]",
            "org/rocksdbffm/internal/exit to [org.rocksdbffm.compat]",
            "org/rocksdbffm/internal/files to [org.rocksdbffm.compat, org.rocksdbffm.archive]",
            "org/rocksdbffm/internal/folder to [org.rocksdbffm.compat, org.rocksdbffm.archive]",
            "org/rocksdbffm/internal/foreign to [org.rocksdbffm.compat, org.rocksdbffm.netty]",
            "org/rocksdbffm/internal/format to [org.rocksdbffm.compat, org.rocksdbffm.archive]",
            "org/rocksdbffm/internal/handoff to [org.rocksdbffm.netty]",
            "org/rocksdbffm/internal/jfr to [org.rocksdbffm.compat]",
            "org/rocksdbffm/internal/leak to [org.rocksdbffm.compat]",
            "org/rocksdbffm/internal/lifetime to [org.rocksdbffm.compat]",
            "org/rocksdbffm/internal/loader to " + nativeModules("org.rocksdbffm.compat", "org.rocksdbffm.natives"),
            "org/rocksdbffm/internal/options to [org.rocksdbffm.compat]",
            "org/rocksdbffm/internal/options/table to [org.rocksdbffm.compat]",
            "org/rocksdbffm/internal/read to [org.rocksdbffm.compat]",
            "org/rocksdbffm/internal/scan to [org.rocksdbffm.compat]",
            "org/rocksdbffm/internal/settings to [org.rocksdbffm.compat]",
            "org/rocksdbffm/internal/watch to [org.rocksdbffm.compat, org.rocksdbffm.metrics, org.rocksdbffm.archive]"),
        module.exports().stream()
            .map(
                export ->
                    export.exportedPackage().name().stringValue()
                        + " to "
                        + export.exportsTo().stream().map(to -> to.name().stringValue()).toList())
            .toList());
    assertEquals(List.of(), module.opens());
    assertEquals(
        List.of("java.base mandated", "jdk.jfr static"), // optional
        module.requires().stream()
            .map(require ->
                require.requires().name().stringValue()
                + (require.has(AccessFlag.STATIC_PHASE) ? " static" : " mandated"))
            .toList());
    assertTrue(!module.has(AccessFlag.OPEN), "the module is open");
  }

  @Test
  void noSignatureThatUsersSeeNamesAnInternalType() {
    List<String> found = new ArrayList<>();
    for (ClassModel type : CompiledClasses.shown()) {
      if (isHiddenMember(type)) {
        continue;
      }
      type.interfaces().forEach(shown -> requirePublic(shown.asInternalName().replace('/', '.'), nameOf(type), found));
      type.superclass()
          .ifPresent(shown -> requirePublic(shown.asInternalName().replace('/', '.'), nameOf(type), found));
      type.methods().stream().filter(method -> isSeen(method.flags().flags())).forEach(method -> {
        String name = nameOf(type) + "." + method.methodName().stringValue();
        namesIn(method.methodType().stringValue(), method).forEach(shown -> requirePublic(shown, name, found));
      });
      type.fields().stream().filter(field -> isSeen(field.flags().flags())).forEach(field -> {
        String name = nameOf(type) + "." + field.fieldName().stringValue();
        namesIn(field.fieldType().stringValue(), field).forEach(shown -> requirePublic(shown, name, found));
      });
    }
    assertEquals(List.of(), found);
  }

  /**
   * Returns whether a nested class is hidden. A top-level class never is, because public classes inherit its members.
   */
  private static boolean isHiddenMember(ClassModel type) {
    return type.findAttribute(Attributes.innerClasses()).stream()
        .flatMap(attribute -> attribute.classes().stream())
        .filter(nested -> nested.innerClass().asInternalName().equals(type.thisClass().asInternalName()))
        .anyMatch(nested -> !isSeen(nested.flags()));
  }

  private static boolean isSeen(Set<AccessFlag> flags) {
    return flags.contains(AccessFlag.PUBLIC) || flags.contains(AccessFlag.PROTECTED);
  }

  private static Set<String> namesIn(String descriptor, AttributedElement member) {
    Set<String> names = CompiledClasses.classesIn(descriptor);
    member.findAttribute(Attributes.signature())
        .ifPresent(generic -> names.addAll(CompiledClasses.classesIn(generic.signature().stringValue())));
    return names;
  }

  private static void requirePublic(String used, String where, List<String> found) {
    if (used.startsWith(INTERNAL)) {
      found.add(where + " shows " + used);
    }
  }

  @Test
  void theTableOfCallsAndTheOpenedLibraryAreTheOnlyStaticFieldsThatChange() {
    List<String> found = new ArrayList<>();
    for (ClassModel type : CompiledClasses.all()) {
      for (FieldModel field : type.fields()) {
        Set<AccessFlag> flags = field.flags().flags();
        if (flags.contains(AccessFlag.STATIC) && !flags.contains(AccessFlag.FINAL)) {
          found.add(nameOf(type) + "." + field.fieldName().stringValue());
        }
      }
    }
    assertEquals(List.of(INTERNAL + ".call.Call.table", LOADER + ".NativeLibrary.opened"), found);
  }

  /** The state of the process or of a class loader; all other state belongs to objects that are closed. */
  @Test
  void theStaticObjectsThatChangeAreThese() {
    Map<String, ClassModel> types = new TreeMap<>();
    CompiledClasses.all().forEach(type -> types.put(nameOf(type), type));
    Set<String> found = new TreeSet<>();
    for (ClassModel type : types.values()) {
      for (FieldModel field : type.fields()) {
        if (field.flags().has(AccessFlag.STATIC) && !packageOf(nameOf(type)).equals(BINDINGS)
            && changes(field, types)) {
          found.add(simple(nameOf(type)) + "." + field.fieldName().stringValue());
        }
      }
    }
    assertEquals(
        lines(
            "BatchBytes$Parser.OPERATIONS",
            "Call.SHIFTS",
            "Call.table",
            "Callback.ALIVE",
            "CallbackFrame.OUTERMOST",
            "CallbackFrame.RECENT",
            "ExitHandler.INSTALLED",
            "Handle.LAST_ID",
            "LeakReports.OF_LOADER",
            "Lease.OPENER",
            "OpenDatabases.OF_LOADER",
            "OptionTable.EITHER",
            "OptionTable.ROWS",
            "RawFilter.KEEP",
            "RawFilter.REMOVE",
            "ReadPath.UNREAD",
            "Reclaimer.OF_LOADER",
            "Reclaimer.PRESSURE",
            "RecordKind.BY_TAG",
            "Reentrance.OF_LOADER",
            "Upcalls.OF_LOADER",
            "Warnings.OF_LOADER"),
        lines(found.stream()));
  }

  /** Returns the given names, and the module names of all native jars. */
  private static List<String> nativeModules(String... names) throws IOException {
    List<String> modules = new ArrayList<>(List.of(names));
    for (String line : Files.readAllLines(Path.of("../native-stubs/platforms.txt"))) {
      if (!line.startsWith("#")) {
        modules.add("org.rocksdbffm.natives." + line.split(" +")[0].replace('-', '_'));
      }
    }
    return modules;
  }

  /**
   * Returns whether the object in a static field may change: false for value types of the JDK, and for types with only
   * final fields.
   */
  private static boolean changes(FieldModel field, Map<String, ClassModel> types) {
    String descriptor = field.fieldType().stringValue();
    if (descriptor.length() == 1 || field.flags().has(AccessFlag.SYNTHETIC) || field.flags().has(AccessFlag.ENUM)) {
      return false;
    }
    String name = descriptor.substring(1, descriptor.length() - 1).replace('/', '.');
    ClassModel type = types.get(name);
    return type == null
        ? !VALUES.matcher(name).matches()
        : type.fields().stream()
            .anyMatch(member -> !member.flags().has(AccessFlag.FINAL) && !member.flags().has(AccessFlag.STATIC));
  }

  @Test
  void noPackageHasMoreCodeThanItsBudget() throws IOException {
    Map<String, Integer> lines = new TreeMap<>();
    Path root = Path.of("src/main/java");
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(source -> source.toString().endsWith(".java")).toList()) {
        if (!file.getParent().equals(root)) {
          lines.merge(root.relativize(file.getParent()).toString().replace('/', '.'), linesOfCode(file), Integer::sum);
        }
      }
    }
    assertTrue(lines.get(PUBLIC) > 3_000, lines::toString);
    lines.entrySet().removeIf(entry -> entry.getValue() <= MOST_LINES_OF.getOrDefault(entry.getKey(), MOST_LINES));
    assertEquals(Map.of(), lines);
  }

  private static int linesOfCode(Path file) throws IOException {
    String code = COMMENT.matcher(Files.readString(file)).replaceAll("");
    return (int) code.lines().filter(line -> !line.isBlank() && !line.startsWith("import ")).count();
  }

  @Test
  void aMethodFitsAScreen() {
    Set<String> longer = new TreeSet<>();
    for (ClassModel type : CompiledClasses.all()) {
      if (!packageOf(nameOf(type)).equals(BINDINGS)) {
        type.methods().stream()
            .filter(method ->
                !method.methodName().equalsString("<init>") && !method.methodName().equalsString("<clinit>"))
            .filter(method -> lineCount(method) > MOST_LINES_OF_METHODS)
            .forEach(method ->
                longer.add(simple(nameOf(type)) + "." + method.methodName().stringValue() + lineCount(method)));
      }
    }
    assertEquals(Set.of(), longer);
  }

  private static int lineCount(MethodModel method) {
    IntSummaryStatistics lines =
        method.code().stream()
            .flatMap(code -> code.elementStream())
            .filter(LineNumber.class::isInstance)
            .mapToInt(element -> ((LineNumber) element).line())
            .summaryStatistics();
    return lines.getCount() == 0 ? 0 : lines.getMax() - lines.getMin() + 1;
  }

  @Test
  void theClassFilesSayWhatTheirCodeUses() {
    // The tests above rely on this: calls within a lambda and through a method handle are found.
    assertTrue(usesOf("NativeCache").anyMatch(use -> use.member().equals("rocksdb_cache_get_usage")));
    assertTrue(usesOf("NativeCache").anyMatch(use -> use.member().equals("rocksdb_cache_set_capacity")));
  }

  private static Stream<Use> usesOf(String name) {
    return CompiledClasses.uses().filter(use -> use.user().equals(INTERNAL + ".settings." + name));
  }
}
