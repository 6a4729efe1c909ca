/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.internal.foreign;

import static java.util.stream.Collectors.toMap;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.PaddingLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.c.rocksdb_ffm_engine;
import org.rocksdbffm.internal.c.rocksdb_ffm_layout;
import org.rocksdbffm.internal.loader.NativeLibrary;
import org.rocksdbffm.shape.CompiledClasses;

/** Tests that the list of bindings, the generated code, and the libraries agree. */
class BindingsTest {
  private static final Path SYMBOLS = Path.of("src/main/resources/org/rocksdbffm/internal/loader/symbols.txt");
  private static final Path CALLS = Path.of("bindings/calls.txt");
  private static final Path CONTRACT = Path.of("../native-stubs/include/rocksdb_ffm.h");
  private static final String GENERATED = RocksDbC.class.getName();

  @Test
  void everyFunctionListedResolvesInTheLoadedLibraries() throws Exception {
    Set<String> functions = listed("function");
    assertTrue(functions.contains("rocksdb_ffm_get") && functions.contains("rocksdb_close"), functions::toString);
    for (String function : functions) {
      MemorySegment address = NativeLibrary.find(function);
      assertNotEquals(0, address.address(), function);
      assertEquals(address, RocksDbC.class.getMethod(function + "$address").invoke(null), function);
    }
  }

  @Test
  void theGeneratedFunctionsAreThoseListed() throws IOException {
    Set<String> generated =
        publicMethods()
            .map(Method::getName)
            .filter(name -> name.endsWith("$descriptor"))
            .map(name -> name.substring(0, name.indexOf('$')))
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(listed("function"), generated);
  }

  @Test
  void theGeneratedConstantsAreThoseListed() throws IOException {
    assertEquals(listed("constant"), constants().keySet());
  }

  @Test
  void theGeneratedStructsAreThoseListed() throws IOException {
    Set<String> generated = new TreeSet<>();
    for (var type : CompiledClasses.in(CompiledClasses.BINDINGS)) {
      generated.add(CompiledClasses.simple(CompiledClasses.topLevel(CompiledClasses.nameOf(type))));
    }
    generated.removeAll(listed("function")); // jextract's types of their function pointers
    assertTrue(generated.removeAll(Set.of("RocksDbC", "SymbolLookup", "Linker")));
    assertEquals(listed("struct"), generated);
  }

  @Test
  void theGeneratedConstantsHaveTheValuesOfTheContract() throws IOException {
    Map<String, Integer> contract = new TreeMap<>();
    Pattern.compile("(?:#define )?\\b(ROCKSDB_FFM_[A-Z_]+) (?:= )?(-?\\d+)")
        .matcher(Files.readString(CONTRACT))
        .results()
        .forEach(constant -> contract.put(constant.group(1), Integer.valueOf(constant.group(2))));
    assertEquals(contract, constants());
  }

  @Test
  void everyStructIsLaidOutAsTheStubLibraryReportsIt() throws Exception {
    Map<String, String> generated = new TreeMap<>();
    for (String struct : listed("struct")) {
      Class<?> type = Class.forName(CompiledClasses.BINDINGS + "." + struct);
      describe((GroupLayout) type.getMethod("layout").invoke(null), struct, generated);
    }
    assertEquals(CompiledClasses.lines(texts(reported())), CompiledClasses.lines(texts(generated)));
  }

  @Test
  void theConstantsOfTheStructsAreThoseOfTheirLayouts() throws Exception {
    Map<String, Long> found = new TreeMap<>();
    for (Field constant : Structs.class.getFields()) {
      if (constant.getType() != String.class) {
        found.put(constant.getName(), ((Number) constant.get(null)).longValue());
      }
    }
    Map<String, Long> wanted = new TreeMap<>();
    for (String struct : listed("struct")) {
      GroupLayout layout =
          (GroupLayout) Class.forName(CompiledClasses.BINDINGS + "." + struct).getMethod("layout").invoke(null);
      String name = struct.replace("rocksdb_ffm_", "").toUpperCase(Locale.ROOT);
      wanted.put("SIZE_OF_" + name, layout.byteSize());
      for (MemoryLayout member : layout.memberLayouts()) {
        String memberName = member.name().orElseThrow();
        wanted.put(name + "_"
            + memberName.toUpperCase(Locale.ROOT), layout.byteOffset(PathElement.groupElement(memberName)));
      }
    }
    assertEquals(wanted, found);
  }

  private static Stream<String> texts(Map<String, String> layouts) {
    return layouts.entrySet().stream().map(layout -> layout.getKey() + ": " + layout.getValue());
  }

  private static void describe(GroupLayout struct, String name, Map<String, String> layouts) {
    layouts.put(name, at(0, struct.byteSize()));
    for (MemoryLayout member : struct.memberLayouts()) {
      if (!(member instanceof PaddingLayout)) {
        String memberName = member.name().orElseThrow();
        long offset = struct.byteOffset(PathElement.groupElement(memberName));
        layouts.put(name + "." + memberName, at(offset, member.byteSize()));
      }
    }
  }

  private static Map<String, String> reported() {
    Map<String, String> layouts = new TreeMap<>();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment count = arena.allocate(ValueLayout.JAVA_LONG);
      MemorySegment lines = RocksDbC.rocksdb_ffm_layouts(count);
      for (long i = 0; i < count.get(ValueLayout.JAVA_LONG, 0); i++) {
        MemorySegment line = rocksdb_ffm_layout.asSlice(lines, i);
        MemorySegment member = rocksdb_ffm_layout.member(line);
        String name = rocksdb_ffm_layout.struct_name(line).getString(0);
        layouts.put(
            member.address() == 0 ? name : name + "." + member.getString(0),
            at(rocksdb_ffm_layout.offset(line), rocksdb_ffm_layout.size(line)));
      }
    }
    return layouts;
  }

  private static String at(long offset, long size) {
    return size + " bytes at " + offset;
  }

  @Test
  void noFunctionIsBoundInVain() throws IOException {
    Set<String> unused = listed("function");
    unused.removeAll(usedOutsideTheBindings());
    calls().forEach(call -> unused.remove(call[2]));
    assertEquals(Set.of("rocksdb_ffm_layouts"), unused); // called only by a test of this class
  }

  @Test
  void theCodesAreThoseOfTheBindings() throws Exception {
    Map<String, Object> found = new TreeMap<>();
    for (Field constant : Codes.class.getFields()) {
      found.put("ROCKSDB_FFM_" + constant.getName(), constant.get(null));
    }
    Map<String, Object> wanted = new TreeMap<>();
    for (String constant : listed("constant")) {
      wanted.put(constant, RocksDbC.class.getMethod(constant).invoke(null));
    }
    assertEquals(wanted, found);
  }

  private static Set<String> usedOutsideTheBindings() {
    return CompiledClasses.uses()
        .filter(use -> !CompiledClasses.packageOf(use.user()).equals(CompiledClasses.BINDINGS))
        .filter(use -> use.owner().equals(GENERATED))
        .map(use -> use.member().replaceFirst("\\$.*", ""))
        .collect(Collectors.toSet());
  }

  @Test
  void theStubsReachTheEnginesFunctionsByTheNamesOfTheTablesMembers() {
    for (MemoryLayout member : rocksdb_ffm_engine.layout().memberLayouts()) {
      String name = member.name().orElseThrow();
      long offset = rocksdb_ffm_engine.layout().byteOffset(PathElement.groupElement(name));
      MemorySegment function = NativeLibrary.find("rocksdb_" + name);
      assertNotEquals(0, function.address(), name);
      assertEquals(function, EngineTable.TABLE.get(ValueLayout.ADDRESS, offset), name);
    }
  }

  @Test
  void exactlyTheFunctionsThatNeitherBlockNorCallBackAreCritical() throws Exception {
    assertEquals(
        Set.of("latestSequenceNumber", "snapshotSequenceNumber", "stackLeft"), methods(Critical.class).keySet());
    assertEquals(
        RocksDbC.rocksdb_ffm_batch$descriptor().toMethodType(),
        LargeCopy.Batch.HANDLE.type().changeReturnType(MemorySegment.class));
  }

  @Test
  void nothingElseLinksCritically() {
    assertEquals(
        Set.of(Critical.class.getName(), LargeCopy.class.getName()),
        CompiledClasses.usersOf(
            use -> use.owner().equals("java.lang.foreign.Linker$Option") && use.member().equals("critical")));
  }

  @Test
  void noFunctionIsLinkedTwiceForItsAddress() {
    assertEquals(
        Set.of(),
        CompiledClasses.usersOf(use -> use.owner().equals(GENERATED) && use.member().endsWith("$address")));
  }

  @Test
  void functionsThatTakeNumbersAreCalledWithTheTypesOfTheHeader() throws Exception {
    Map<String, MethodType> header = new TreeMap<>();
    for (String[] call : calls()) {
      FunctionDescriptor descriptor =
          (FunctionDescriptor) RocksDbC.class.getMethod(call[2] + "$descriptor").invoke(null);
      header.put(call[1], numbered(descriptor));
      assertTrue(descriptor.argumentLayouts().size() <= Downcalls.WORDS.parameterCount(), call[1]);
    }
    Map<String, MethodType> called = methods(HotCalls.class);
    called.putAll(methods(Critical.class));
    called.remove("linkAll");
    assertEquals(header, called);
  }

  @Test
  void theGeneratedCallsAreThoseThatAreListed() throws Exception {
    Process printer;
    try {
      printer = new ProcessBuilder("bindings/print-java", "--check").redirectErrorStream(true).start();
    } catch (IOException e) {
      Assumptions.abort("python3 is not at hand: " + e.getMessage());
      return;
    }
    String printed = new String(printer.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    Assumptions.assumeFalse(printer.waitFor() == 127, printed);
    assertEquals("", printed);
    assertEquals(0, printer.exitValue());
  }

  private static List<String[]> calls() throws IOException {
    try (Stream<String> lines = Files.lines(CALLS)) {
      return lines.filter(line -> !line.startsWith("#")).map(line -> line.split(" ")).toList();
    }
  }

  private static Map<String, MethodType> methods(Class<?> type) {
    Map<String, MethodType> methods = new TreeMap<>();
    for (Method method : type.getDeclaredMethods()) {
      if (!Modifier.isPrivate(method.getModifiers())) {
        methods.put(method.getName(), MethodType.methodType(method.getReturnType(), method.getParameterTypes()));
      }
    }
    return methods;
  }

  private static MethodType numbered(FunctionDescriptor header) {
    MethodType type = header.toMethodType();
    for (int i = 0; i < type.parameterCount(); i++) {
      if (type.parameterType(i) == MemorySegment.class) {
        type = type.changeParameterType(i, long.class);
      }
    }
    return type.returnType() == MemorySegment.class ? type.changeReturnType(long.class) : type;
  }

  private static Set<String> listed(String kind) throws IOException {
    try (Stream<String> lines = Files.lines(SYMBOLS)) {
      return lines
          .filter(line -> line.startsWith(kind + " "))
          .map(line -> line.substring(kind.length() + 1))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  private static Stream<Method> publicMethods() {
    return Arrays.stream(RocksDbC.class.getDeclaredMethods())
        .filter(method -> Modifier.isPublic(method.getModifiers()));
  }

  private static Map<String, Integer> constants() {
    return publicMethods()
        .filter(method -> method.getName().startsWith("ROCKSDB_FFM_"))
        .collect(toMap(Method::getName, BindingsTest::valueOf, (a, b) -> a, TreeMap::new));
  }

  private static int valueOf(Method constant) {
    try {
      return (int) constant.invoke(null);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }
}
