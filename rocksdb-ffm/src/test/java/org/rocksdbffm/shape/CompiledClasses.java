/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.shape;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.rocksdbffm.RocksDb;

/**
 * The compiled classes of the library, for tests of its architecture. Reads the members that a class uses from its
 * constant pool, which contains all called members, also those called by a lambda or through a method handle.
 */
public final class CompiledClasses {
  public static final String PUBLIC = "org.rocksdbffm";
  public static final String INTERNAL = "org.rocksdbffm.internal";
  public static final String BINDINGS = "org.rocksdbffm.internal.c";

  private static final Pattern CLASS_IN_DESCRIPTOR = Pattern.compile("L([\\w/$]+)[;<]");

  private CompiledClasses() {}

  /** A use of a class's member by another class; names of classes have dots. */
  public record Use(String user, String owner, String member) {
    public String what() {
      return simple(owner) + "." + member;
    }
  }

  /** Returns all classes of the library, including generated ones. */
  public static List<ClassModel> all() {
    try (Stream<Path> files = Files.walk(root())) {
      return files
          .filter(file -> file.toString().endsWith(".class"))
          .filter(file -> !file.endsWith("module-info.class"))
          .map(CompiledClasses::parse)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static List<ClassModel> in(String packageName) {
    return all().stream().filter(type -> packageOf(nameOf(type)).equals(packageName)).toList();
  }

  /** Returns the classes of the exported packages. */
  public static List<ClassModel> shown() {
    return Stream.of(PUBLIC, PUBLIC + ".reports").flatMap(name -> in(name).stream()).toList();
  }

  /** Returns the classes of a package and of all packages below it. */
  public static List<ClassModel> under(String packageName) {
    return all().stream().filter(type -> packageOf(nameOf(type)).startsWith(packageName + ".")).toList();
  }

  public static ClassModel moduleDescriptor() {
    return parse(root().resolve("module-info.class"));
  }

  private static ClassModel parse(Path file) {
    try {
      return ClassFile.of().parse(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the folder of the main classes; the test classes are patched into their module from another folder. */
  public static Path root() {
    String file = RocksDb.class.getName().replace('.', '/') + ".class";
    URI uri = URI.create(RocksDb.class.getResource("/" + file).toString());
    return Path.of(URI.create(uri.toString().replace(file, "")));
  }

  /** Returns every use of a member, including uses within a class. */
  public static Stream<Use> uses() {
    return all().stream().flatMap(CompiledClasses::usesOf);
  }

  public static Stream<Use> usesOf(ClassModel type) {
    return entries(type, MemberRefEntry.class)
        .map(entry -> new Use(nameOf(type), dotted(entry.owner().asInternalName()), entry.name().stringValue()));
  }

  /** Returns the top-level classes with a use that the predicate accepts. */
  public static Set<String> usersOf(Predicate<Use> wanted) {
    Set<String> users = new TreeSet<>();
    uses().filter(wanted).forEach(use -> users.add(topLevel(use.user())));
    return users;
  }

  /**
   * Returns every class of the library that a class names: in its code, in its signatures, or in the signatures of
   * called methods.
   */
  public static Set<String> classesNamedBy(ClassModel type) {
    Set<String> names = new TreeSet<>();
    entries(type, ClassEntry.class).map(ClassEntry::asInternalName).map(CompiledClasses::dotted).forEach(names::add);
    entries(type, Utf8Entry.class).forEach(text -> names.addAll(classesIn(text.stringValue())));
    names.removeIf(name -> !name.startsWith(PUBLIC + "."));
    return names;
  }

  /** Returns the classes that a descriptor or a generic signature names. */
  public static Set<String> classesIn(String descriptor) {
    Set<String> names = new TreeSet<>();
    Matcher matcher = CLASS_IN_DESCRIPTOR.matcher(descriptor);
    while (matcher.find()) {
      names.add(dotted(matcher.group(1)));
    }
    return names;
  }

  private static <T extends PoolEntry> Stream<T> entries(ClassModel type, Class<T> kind) {
    Stream.Builder<T> entries = Stream.builder();
    for (PoolEntry entry : type.constantPool()) {
      if (kind.isInstance(entry)) {
        entries.add(kind.cast(entry));
      }
    }
    return entries.build();
  }

  public static String nameOf(ClassModel type) {
    return dotted(type.thisClass().asInternalName());
  }

  private static String dotted(String internalName) {
    return internalName.replace('/', '.');
  }

  public static String packageOf(String className) {
    return className.substring(0, Math.max(0, className.lastIndexOf('.')));
  }

  public static String topLevel(String className) {
    int dollar = className.indexOf('$');
    return dollar < 0 ? className : className.substring(0, dollar);
  }

  public static String simple(String className) {
    return className.substring(className.lastIndexOf('.') + 1);
  }

  /** Returns the values sorted, one per line, for comparison with the expected text. */
  public static String lines(Stream<String> values) {
    return String.join("\n", new TreeSet<>(values.toList()));
  }

  public static String lines(String... values) {
    return lines(Arrays.stream(values));
  }
}
