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

/** The hostile clients reach every public method: a new one has to be added to an operation of theirs. */
final class CoverageTest {
  @Test
  void someOperationCallsEachPublicMethod() throws Exception {
    Set<String> called = called();
    List<String> missing = new ArrayList<>();
    for (Class<?> type : PublicApi.types()) {
      if (ValueOperations.TYPES.contains(type) || type.isInterface() && PublicApi.CALLBACKS.contains(type)) {
        continue; // all of its methods are called by reflection; it is implemented by us
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

  /** Through its type, a subtype, or a type that it overrides the method of. */
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

  /** Each method that a class of this package calls, by the type that it is called through and its parameters. */
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
