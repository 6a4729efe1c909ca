/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.operations;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.rocksdbffm.shape.PublicApi;

/** The hostile clients call every public method: a new method must be added to one of their operations. */
final class CoverageTest {
  @Test
  void someOperationCallsEachPublicMethod() throws Exception {
    Set<String> called = called();
    List<String> missing = new ArrayList<>();
    for (Class<?> type : PublicApi.types()) {
      if (ValueOperations.TYPES.contains(type) || type.isInterface() && PublicApi.CALLBACKS.contains(type)) {
        continue; // operations call its methods by reflection, or implement the interface
      }
      for (Executable each : declaredBy(type)) {
        if (!isCalled(each, type, called)) {
          missing.add(type.getSimpleName() + "." + PublicApi.signature(each));
        }
      }
    }
    assertEquals("", String.join("\n", missing), "public methods that no operation calls");
  }

  private static List<Executable> declaredBy(Class<?> type) {
    List<Executable> all = new ArrayList<>(Arrays.asList(type.getConstructors()));
    Arrays.stream(type.getDeclaredMethods())
        .filter(method -> Modifier.isPublic(method.getModifiers()) && PublicApi.isWritten(method, type))
        .filter(method -> !Set.of("equals", "hashCode", "toString").contains(method.getName()))
        .forEach(all::add);
    return all;
  }

  /** Whether an operation calls a member: through its class, a subclass, or a type whose method it overrides. */
  private static boolean isCalled(Executable wanted, Class<?> type, Set<String> called) {
    String name = wanted instanceof Method ? wanted.getName() : "<init>";
    Class<?> returned = wanted instanceof Method method ? method.getReturnType() : void.class;
    String parameters =
        java.lang.invoke.MethodType.methodType(returned, wanted.getParameterTypes())
            .descriptorString()
            .replaceAll("\\).*", ")");
    return PublicApi.types().stream()
            .filter(user -> wanted instanceof Constructor ? user == type : related(user, type))
            .anyMatch(user -> called.contains(user.getName() + "." + name + parameters))
        || name.equals("close") && called.contains("java.lang.AutoCloseable.close()");
  }

  private static boolean related(Class<?> user, Class<?> type) {
    return type.isAssignableFrom(user) || user.isAssignableFrom(type);
  }

  private static boolean isOfOperations(Path file) {
    return file.getFileName().toString().matches(".*Operations.*|(Held|Pin)\\.class");
  }

  /** Returns each method that the operations call, as "class.method(parameters)" of the call. */
  private static Set<String> called() throws IOException {
    Path folder =
        Path.of(URI.create(Operations.class.getResource("Operations.class").toString())).getParent().getParent();
    Set<String> called = new HashSet<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : (Iterable<Path>) files.filter(CoverageTest::isOfOperations)::iterator) {
        for (PoolEntry entry : ClassFile.of().parse(file).constantPool()) {
          if (entry instanceof MemberRefEntry member && member.type().stringValue().startsWith("(")) {
            called.add(
                member.owner().asInternalName().replace('/', '.')
                    + "."
                    + member.name().stringValue()
                    + member.type().stringValue().replaceAll("\\).*", ")"));
          }
        }
      }
    }
    return called;
  }
}
