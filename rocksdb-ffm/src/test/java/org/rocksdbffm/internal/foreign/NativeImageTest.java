/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.internal.foreign;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.StringEntry;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.shape.CompiledClasses;

/**
 * Compares the file that GraalVM's native-image reads with the calls that the library links: an image contains code
 * only for the signatures in the file, and fails at the first call with another signature. {@code ShapeTest} lists the
 * classes that use the linker; this test covers the same classes.
 */
class NativeImageTest {
  private static final Path FILE =
      Path.of("src/main/resources/META-INF/native-image/org.rocksdbffm/rocksdb-ffm/reachability-metadata.json");

  /** native-image's names of layouts, by the Java type that a method handle has for them. */
  private static final Map<Class<?>, String> LAYOUTS =
      Map.of(
          void.class, "void",
          boolean.class, "jboolean",
          byte.class, "jbyte",
          short.class, "jshort",
          char.class, "jchar",
          int.class, "jint",
          long.class, "jlong",
          double.class, "jdouble",
          MemorySegment.class, "void*");

  private static final String CRITICAL = ", \"options\": { \"critical\": { \"allowHeapAccess\": %s } }";
  private static final MethodType GETEUID = MethodType.methodType(int.class);
  private static final MethodType DLOPEN = MethodType.methodType(MemorySegment.class, MemorySegment.class, int.class);
  private static final MethodType DLERROR = MethodType.methodType(MemorySegment.class);
  private static final MethodType MALLOC_TRIM = MethodType.methodType(int.class, long.class);

  /** If this fails, its message contains the file to commit. */
  @Test
  void theFileForNativeImageNamesEveryKindOfCallThatTheLinkerIsAskedFor() throws Exception {
    Path expected = Path.of("target/reachability-metadata.json");
    Files.createDirectories(expected.getParent());
    Files.writeString(expected, file());
    assertEquals(
        Files.readString(expected), Files.readString(FILE), () -> FILE + " is out of date; it should be as "
        + expected);
  }

  private static String file() throws Exception {
    return """
        {
          "reflection": [
        %s
          ],
          "resources": [
            { "glob": "META-INF/native/*/*" },
            { "glob": "org/rocksdbffm/internal/loader/*.txt" },
            { "glob": "org/rocksdbffm/internal/options/table/*.txt" }
          ],
          "foreign": {
            "downcalls": [
        %s
            ],
            "upcalls": [
        %s
            ]
          }
        }
        """
        .formatted(
            rows(4, CompiledClasses.usersOf(NativeImageTest::makesUpcalls).stream().map(NativeImageTest::ofMethods)),
            rows(6, downcalls()),
            rows(6, upcalls()));
  }

  private static String rows(int indent, Stream<String> rows) {
    return new TreeSet<>(rows.toList()).stream().map(row -> " ".repeat(indent) + row).collect(joining(",\n"));
  }

  private static String ofMethods(String type) {
    return "{ \"type\": \"" + type + "\", \"allDeclaredMethods\": true }";
  }

  private static Stream<String> downcalls() throws Exception {
    Stream.Builder<String> rows = Stream.builder();
    for (String function : calledByName()) {
      Object descriptor = RocksDbC.class.getMethod(function + "$descriptor").invoke(null);
      rows.add(row(((FunctionDescriptor) descriptor).toMethodType(), ""));
    }
    addHandles(HotCalls.class, "", rows);
    addHandles(Critical.class, CRITICAL.formatted(false), rows);
    addHandles(LargeCopy.class, CRITICAL.formatted(true), rows);
    Stream.of(GETEUID, DLOPEN, DLERROR, MALLOC_TRIM).forEach(type -> rows.add(row(type, "")));
    return rows.build();
  }

  private static void addHandles(Class<?> calls, String options, Stream.Builder<String> rows) throws Exception {
    for (Class<?> holder : calls.getDeclaredClasses()) {
      Field field = holder.getDeclaredField("HANDLE");
      field.setAccessible(true);
      rows.add(row(((MethodHandle) field.get(null)).type(), options));
    }
  }

  /** Returns the functions of the bindings that the library calls; each is linked at its first call. */
  private static Set<String> calledByName() {
    Set<String> names = new HashSet<>();
    CompiledClasses.uses()
        .filter(use -> use.owner().equals(RocksDbC.class.getName()) && use.member().startsWith("rocksdb_"))
        .filter(use -> !CompiledClasses.packageOf(use.user()).equals(CompiledClasses.BINDINGS))
        .forEach(use -> names.add(use.member()));
    assertTrue(names.contains("rocksdb_free"), names::toString);
    return names;
  }

  private static boolean makesUpcalls(CompiledClasses.Use use) {
    return use.owner().equals(Upcalls.class.getName()) && use.member().equals("to")
        && !use.user().equals(Upcalls.class.getName());
  }

  private static Stream<String> upcalls() throws ClassNotFoundException {
    Stream.Builder<String> rows = Stream.builder();
    Set<String> makers = CompiledClasses.usersOf(NativeImageTest::makesUpcalls);
    for (ClassModel type : CompiledClasses.all()) {
      if (makers.contains(CompiledClasses.nameOf(type))) {
        List<MethodType> types = targets(type);
        assertTrue(!types.isEmpty(), () -> CompiledClasses.nameOf(type) + " makes upcalls of no method of its own");
        types.forEach(target -> rows.add(row(target, "")));
      }
    }
    return rows.build();
  }

  /** Returns the types of a class's methods that C may call, which the class names in texts. */
  private static List<MethodType> targets(ClassModel type) throws ClassNotFoundException {
    Set<String> texts = new HashSet<>();
    for (PoolEntry entry : type.constantPool()) {
      if (entry instanceof StringEntry text) {
        texts.add(text.stringValue());
      }
    }
    Method[] methods = Class.forName(CompiledClasses.nameOf(type)).getDeclaredMethods();
    return Arrays.stream(methods)
        .filter(method -> Modifier.isStatic(method.getModifiers()) && texts.contains(method.getName()))
        .map(method -> MethodType.methodType(method.getReturnType(), method.getParameterTypes()))
        .toList();
  }

  private static String row(MethodType type, String options) {
    String parameters = type.parameterList().stream().map(NativeImageTest::layout).collect(joining(", "));
    return "{ \"returnType\": " + layout(type.returnType()) + ", \"parameterTypes\": [" + parameters + "]" + options
        + " }";
  }

  private static String layout(Class<?> type) {
    String layout = LAYOUTS.get(type);
    assertTrue(layout != null, () -> "native-image has no name for " + type);
    return '"' + layout + '"';
  }

  @Test
  void everyResourceThatTheCoreReadsIsOneOfThoseInTheImage() throws IOException {
    try (Stream<Path> files = Files.walk(Path.of("src/main/resources"))) {
      assertEquals(
          Set.of("option-table.txt", "property-table.txt", "reachability-metadata.json", "symbols.txt"),
          new HashSet<>(files.filter(Files::isRegularFile).map(file -> file.getFileName().toString()).toList()));
    }
  }
}
