/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.older;

import java.io.IOException;
import java.lang.classfile.AccessFlags;
import java.lang.classfile.AttributedElement;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.reflect.AccessFlag;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The public and protected members of {@code org.rocksdb} in a jar or a folder of classes: by class, name and
 * descriptor, as in the table's rows, without synthetic members. A class is also a member.
 */
record PublicMembers(Map<String, ClassModel> types, Map<String, AttributedElement> members) {
  static PublicMembers of(Path place) throws IOException {
    if (Files.isDirectory(place)) {
      return read(place.resolve("org/rocksdb"));
    }
    try (FileSystem jar = FileSystems.newFileSystem(place)) {
      return read(jar.getPath("org/rocksdb"));
    }
  }

  private static PublicMembers read(Path classes) throws IOException {
    Map<String, ClassModel> types = new TreeMap<>();
    try (Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.filter(its -> its.toString().endsWith(".class")).toList()) {
        ClassModel type = ClassFile.of().parse(Files.readAllBytes(file));
        types.put(name(type), type);
      }
    }
    return new PublicMembers(types, members(types));
  }

  private static String name(ClassModel type) {
    return type.thisClass().asInternalName().replace('/', '.');
  }

  private static Map<String, AttributedElement> members(Map<String, ClassModel> types) {
    Map<String, AttributedElement> members = new TreeMap<>();
    for (ClassModel type : types.values()) {
      if (type.flags().has(AccessFlag.PUBLIC)) {
        members.put(name(type) + ".class -", type);
      }
      type.methods().stream().filter(its -> isApi(its.flags()) && !isForGlue(its)).forEach(its ->
          members.put(key(type, its.methodName().stringValue(), its.methodType().stringValue()), its));
      type.fields().stream().filter(its -> isApi(its.flags()) && !its.flags().has(AccessFlag.SYNTHETIC)).forEach(its ->
          members.put(key(type, its.fieldName().stringValue(), its.fieldType().stringValue()), its));
    }
    return members;
  }

  private static String key(ClassModel type, String name, String descriptor) {
    return name(type) + "." + name + " " + descriptor;
  }

  /** Whether the relinker added the method so that the glue reaches a hidden member. */
  private static boolean isForGlue(MethodModel method) {
    return method.flags().has(AccessFlag.SYNTHETIC) && method.methodName().stringValue().endsWith("$");
  }

  private static boolean isApi(AccessFlags flags) {
    return (flags.has(AccessFlag.PUBLIC) || flags.has(AccessFlag.PROTECTED))
        && (flags.flagsMask() & ClassFile.ACC_BRIDGE) == 0;
  }

  /** Whether a member can be linked: it is in the class, a superclass, or one of their interfaces. */
  boolean resolves(String type, String nameAndDescriptor) {
    ClassModel model = types.get(type);
    if (model == null) {
      return false;
    }
    if (members.containsKey(type + "." + nameAndDescriptor)) {
      return true;
    }
    return !nameAndDescriptor.startsWith("<init>")
        && Stream.concat(model.superclass().stream(), model.interfaces().stream())
            .anyMatch(its -> resolves(its.asInternalName().replace('/', '.'), nameAndDescriptor));
  }

  static boolean isDeprecated(AttributedElement member) {
    return member.findAttribute(Attributes.deprecated()).isPresent()
        && member.findAttribute(Attributes.runtimeVisibleAnnotations()).stream()
            .flatMap(its -> its.annotations().stream())
            .anyMatch(its -> its.className().equalsString("Ljava/lang/Deprecated;"));
  }

  /** Returns the release in a member's annotation; null for a current member. */
  static String lastIn(AttributedElement member) {
    return member.findAttribute(Attributes.runtimeInvisibleAnnotations()).stream()
        .flatMap(its -> its.annotations().stream())
        .filter(its -> its.className().equalsString(LastIn.class.descriptorString()))
        .map(its -> ((java.lang.classfile.AnnotationValue.OfString) its.elements().getFirst().value()).stringValue())
        .findFirst()
        .orElse(null);
  }
}
