/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.dropin.calls;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.rocksdb.RocksDB;

/** Every public constructor and method of {@code org.rocksdb}, and the methods of an object. */
public final class ApiMembers {
  /** Members by key, without excluded ones, and with the constructors of generated subclasses. */
  static final Map<String, ApiMember> ALL = new TreeMap<>();

  /** Members to leave out, so that a run finds other failures before a known one is fixed. */
  private static final Pattern LEFT_OUT = Pattern.compile(System.getProperty("torture.without", "-"));

  private static final Map<Class<?>, List<ApiMember>> OF_TYPE = new ConcurrentHashMap<>();

  static {
    for (Class<?> type : publicTypes()) {
      addMembers(type);
    }
    for (Class<?> type : Subclass.made()) {
      for (Constructor<?> constructor : type.getConstructors()) {
        add(constructor);
      }
    }
  }

  private ApiMembers() {}

  private static void addMembers(Class<?> type) {
    if (!Modifier.isAbstract(type.getModifiers())) {
      for (Constructor<?> constructor : type.getDeclaredConstructors()) {
        add(constructor);
      }
    }
    for (Method method : type.getDeclaredMethods()) {
      if (!method.isSynthetic()) {
        add(method);
      }
    }
  }

  private static void add(Executable executable) {
    if (Modifier.isPublic(executable.getModifiers())) {
      ApiMember member = ApiMember.of(executable);
      if (Excluded.reason(member) == null && !LEFT_OUT.matcher(member.key()).matches()) {
        ALL.put(member.key(), member);
      }
    }
  }

  /** Returns the members with code: a method of an interface is counted in the implementing classes. */
  public static List<ApiMember> counted() {
    return ALL.values().stream().filter(each -> !each.isAbstract() && !Subclass.isMade(each.owner())).toList();
  }

  /** Returns the methods of a type's objects, each from its declaring class. */
  static List<ApiMember> of(Class<?> type) {
    return OF_TYPE.computeIfAbsent(
        type,
        each ->
            Arrays.stream(each.getMethods())
                .filter(method -> !method.isSynthetic() && !Modifier.isStatic(method.getModifiers()))
                .map(method -> ALL.get(ApiMember.of(method).key()))
                .filter(java.util.Objects::nonNull)
                .toList());
  }

  static List<Class<?>> publicTypes() {
    try {
      Path place = Path.of(RocksDB.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      if (Files.isDirectory(place)) {
        return typesIn(place.resolve("org/rocksdb"));
      }
      try (var jar = FileSystems.newFileSystem(URI.create("jar:" + place.toUri()), Map.of())) {
        return typesIn(jar.getPath("org/rocksdb"));
      }
    } catch (URISyntaxException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<Class<?>> typesIn(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      List<Class<?>> types = new ArrayList<>();
      for (String file : files.map(each -> each.getFileName().toString()).sorted().toList()) {
        if (file.endsWith(".class") && !file.equals("package-info.class")) {
          Class<?> type = load("org.rocksdb." + file.substring(0, file.length() - ".class".length()));
          if (isPublic(type)) {
            types.add(type);
          }
        }
      }
      return types;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name, false, RocksDB.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean isPublic(Class<?> type) {
    return type == null
        || Modifier.isPublic(type.getModifiers()) && !type.isAnonymousClass() && isPublic(type.getEnclosingClass());
  }
}
