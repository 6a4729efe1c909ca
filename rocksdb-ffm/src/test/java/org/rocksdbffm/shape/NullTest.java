/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.shape;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.tools.LiveObjectsCheck;

/** Tests that null for a parameter of any public method is a {@link NullPointerException} that names the parameter. */
@ExtendWith(LiveObjectsCheck.class)
final class NullTest {
  @TempDir Path folder;

  @Test
  void nullForAnyParameterIsRefusedByItsName() throws Exception {
    List<String> wrong = new ArrayList<>();
    int tried = 0;
    try (Specimens specimens = new Specimens(folder.resolve("db"))) {
      for (Class<?> type : PublicApi.types()) {
        if (PublicApi.CALLBACKS.contains(type) || Throwable.class.isAssignableFrom(type)) {
          continue; // users implement or receive these types; exceptions come from the library
        }
        List<Executable> executables = new ArrayList<>(Arrays.asList(type.getConstructors()));
        executables.addAll(PublicApi.methods(type));
        Arrays.stream(type.getMethods())
            .filter(method -> Modifier.isStatic(method.getModifiers()) && method.getDeclaringClass() == type)
            .filter(method -> !(type.isEnum() && method.getName().equals("valueOf")))
            .forEach(executables::add);
        for (Executable executable : executables) {
          if (executable.getDeclaringClass() == Comparable.class || executable.getDeclaringClass() == Enum.class
              || type.isEnum() && executable.getName().equals("compareTo")
              || executable.getName().equals("compareTo")) {
            continue; // the JDK's contract
          }
          for (int i = 0; i < executable.getParameterCount(); i++) {
            if (!executable.getParameterTypes()[i].isPrimitive()) {
              tried++;
              String problem = problemWithNull(executable, type, i, specimens);
              if (problem != null) {
                wrong.add(type.getSimpleName() + "." + PublicApi.signature(executable) + ": " + problem);
              }
            }
          }
        }
      }
    }
    assertEquals("", String.join("\n", wrong), tried + " parameters tried");
  }

  private String problemWithNull(Executable executable, Class<?> type, int index, Specimens specimens)
      throws Exception {
    Object target = Modifier.isStatic(executable.getModifiers()) || executable instanceof Constructor
        ? null
        : specimens.of(type);
    Path fresh = Files.createTempDirectory(folder, "null");
    Object[] arguments = PublicApi.arguments(executable, specimens.db, specimens.family, fresh);
    arguments[index] = null;
    String name = PublicApi.parameterName(executable, target == null ? type : target.getClass(), index);
    try {
      Object made = executable instanceof Method method
          ? method.invoke(target, arguments)
          : ((Constructor<?>) executable).newInstance(arguments);
      if (made instanceof AutoCloseable closeable) {
        closeable.close();
      }
      return "null for '" + name + "' was taken";
    } catch (InvocationTargetException e) {
      Throwable cause = e.getCause();
      boolean named = cause instanceof NullPointerException && name.equals(cause.getMessage());
      return named ? null : "null for '" + name + "' gave " + cause;
    }
  }

  @Test
  void nullWithinACollectionIsRefused() {
    try (RocksDb db = RocksDb.open(folder)) {
      List<byte[]> keys = new ArrayList<>();
      keys.add(null);
      assertNamed("key", () -> db.multiGet(keys));
      java.util.Map<String, String> options = new java.util.HashMap<>();
      options.put(null, "true");
      assertNamed("options: a name is null", () -> db.setOptions(options));
      options.clear();
      options.put("max_open_files", null);
      assertNamed("options: the value of max_open_files is null", () -> db.setDatabaseOptions(options));
    }
    java.util.Map<String, FamilyOptions> families = new java.util.HashMap<>();
    families.put("default", null);
    assertNamed(
        "families: the options of default are null", () -> RocksDb.at(folder).families(families).open());
  }

  private static void assertNamed(String message, org.junit.jupiter.api.function.Executable code) {
    NullPointerException thrown =
        org.junit.jupiter.api.Assertions.assertThrowsExactly(NullPointerException.class, code);
    assertEquals(message, thrown.getMessage());
  }

}
