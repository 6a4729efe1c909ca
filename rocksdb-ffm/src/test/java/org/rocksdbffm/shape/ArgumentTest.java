/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.shape;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.tools.LiveObjectsCheck;

/**
 * Tests that a number, size, duration or name that a public method refuses is in the exception's message, after the
 * name of the parameter, or of the option that a method of the type sets.
 */
@ExtendWith(LiveObjectsCheck.class)
final class ArgumentTest {
  private static final int LEAST_REFUSED = 100;

  private static final Map<Class<?>, List<Object>> EXTREMES =
      Map.of(
          int.class, List.of(Integer.MIN_VALUE, -1, 0, Integer.MAX_VALUE),
          long.class, List.of(Long.MIN_VALUE, -1L, 0L, Long.MAX_VALUE),
          double.class, List.of(-1.0, Double.NaN, Double.MAX_VALUE),
          Duration.class, List.of(Duration.ofNanos(-1), Duration.ZERO, Duration.ofSeconds(Long.MIN_VALUE)),
          ByteSize.class, List.of(ByteSize.bytes(0), ByteSize.bytes(Long.MAX_VALUE)),
          String.class, List.of("", "a\0b", "half \ud83d"));

  @TempDir Path folder;
  private int refused;

  @Test
  void aRefusedArgumentIsInTheMessageWithItsName() throws Exception {
    List<String> wrong = new ArrayList<>();
    try (Specimens specimens = new Specimens(folder.resolve("db"))) {
      for (Class<?> type : PublicApi.types()) {
        if (PublicApi.CALLBACKS.contains(type) || Throwable.class.isAssignableFrom(type) || type.isEnum()) {
          continue;
        }
        List<Executable> executables = new ArrayList<>(Arrays.asList(type.getConstructors()));
        executables.addAll(PublicApi.methods(type));
        Arrays.stream(type.getMethods())
            .filter(method -> Modifier.isStatic(method.getModifiers()) && method.getDeclaringClass() == type)
            .forEach(executables::add);
        for (Executable executable : executables) {
          for (int i = 0; i < executable.getParameterCount(); i++) {
            for (Object extreme : EXTREMES.getOrDefault(executable.getParameterTypes()[i], List.of())) {
              String problem = problem(executable, type, i, extreme, specimens);
              if (problem != null) {
                wrong.add(type.getSimpleName() + "." + PublicApi.signature(executable) + ": " + problem);
              }
            }
          }
        }
      }
    }
    assertEquals("", String.join("\n", wrong));
    assertTrue(refused >= LEAST_REFUSED, () -> refused + " arguments were refused");
  }

  private String problem(Executable executable, Class<?> type, int index, Object extreme, Specimens specimens)
      throws Exception {
    Object target = Modifier.isStatic(executable.getModifiers()) || executable instanceof Constructor
        ? null
        : specimens.of(type);
    Path fresh = Files.createTempDirectory(folder, "extreme");
    Object[] arguments = PublicApi.arguments(executable, specimens.db, specimens.family, fresh);
    if (refusal(executable, target, arguments) != null) {
      return null; // the valid arguments do not fit together
    }
    arguments[index] = extreme;
    String message = refusal(executable, target, arguments);
    if (message == null) {
      return null;
    }
    refused++;
    String name = PublicApi.parameterName(executable, target == null ? type : target.getClass(), index);
    boolean isNamed = names(name, type).anyMatch(one -> isNamed(one, message));
    return isNamed && hasValue(message, extreme)
        ? null
        : (name + " " + extreme + " gave " + message).replaceAll("[^ -~]", "?");
  }

  /** Returns the message of an IllegalArgumentException; null if there is none. */
  private static String refusal(Executable executable, Object target, Object[] arguments) throws Exception {
    try {
      Object made = executable instanceof Method method
          ? method.invoke(target, arguments)
          : ((Constructor<?>) executable).newInstance(arguments);
      if (made instanceof AutoCloseable closeable) {
        closeable.close();
      }
      return null;
    } catch (InvocationTargetException e) {
      return e.getCause() instanceof IllegalArgumentException refusal ? refusal.getMessage() : null;
    }
  }

  private static Stream<String> names(String parameter, Class<?> type) {
    return Stream.concat(Stream.of(parameter), Arrays.stream(type.getMethods()).map(Method::getName));
  }

  private static boolean isNamed(String name, String message) {
    String head = snake(message.replaceFirst("^(table )?option ", "").split("[: ]")[0]);
    return snake(name).startsWith(head) || head.startsWith(snake(name));
  }

  private static String snake(String name) {
    return name.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
  }

  private static boolean hasValue(String message, Object value) {
    String text = String.valueOf(value);
    return message.contains(text) || message.contains(text.replace("\0", "\\0"))
        || value instanceof ByteSize size && message.contains(" " + size.bytes());
  }
}
