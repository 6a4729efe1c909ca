/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.shape;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.KeyCodec;
import org.rocksdbffm.ValueCodec;
import org.rocksdbffm.tools.LiveObjectsCheck;

/** Tests the texts that describe public objects in messages and debuggers. */
@ExtendWith(LiveObjectsCheck.class)
class DescriptionTest {
  private static final Set<Class<?>> CODECS = Set.of(KeyCodec.class, KeyCodec.Part.class, ValueCodec.class);
  private static final Pattern ADDRESS = Pattern.compile("[\\w$]@[0-9a-f]{4,}");

  @TempDir Path folder;

  @Test
  void eachPublicClassHasAToStringOfItsOwn() throws Exception {
    List<Class<?>> types =
        PublicApi.types().stream()
            .filter(type -> !type.isInterface() && !Modifier.isAbstract(type.getModifiers()) && isHeld(type))
            .toList();
    assertTrue(types.size() > 50, types::toString);
    assertEquals(List.of(), types.stream().filter(DescriptionTest::isNameless).map(Class::getName).toList());
  }

  /** Whether programs hold objects of a class. Codecs do not count: they consist of functions without names. */
  private static boolean isHeld(Class<?> type) {
    return !CODECS.contains(type)
        && !Throwable.class.isAssignableFrom(type)
        && PublicApi.methods(type).stream().anyMatch(method -> !Modifier.isStatic(method.getModifiers()));
  }

  private static boolean isNameless(Class<?> type) {
    try {
      return type.getMethod("toString").getDeclaringClass() == Object.class;
    } catch (NoSuchMethodException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void noToStringNamesAnInternalObjectByItsHash() throws Exception {
    List<String> wrong = new ArrayList<>();
    try (Specimens specimens = new Specimens(folder.resolve("db"))) {
      for (Class<?> type : PublicApi.types()) {
        if (isHeld(type) && !PublicApi.CALLBACKS.contains(type)) {
          String text = String.valueOf(specimens.of(type));
          if (ADDRESS.matcher(text).find()) {
            wrong.add(type.getSimpleName() + ": " + text);
          }
        }
      }
    }
    assertEquals(List.of(), wrong);
  }
}
