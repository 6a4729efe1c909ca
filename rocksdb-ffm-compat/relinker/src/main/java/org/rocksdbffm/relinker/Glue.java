/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.relinker;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The compiled glue: classes with static methods that stand in for native ones, by simple name. */
record Glue(Map<String, ClassModel> types) {
  static Glue read(Path classes) throws IOException {
    Map<String, ClassModel> types = new TreeMap<>();
    try (Stream<Path> files = Files.walk(classes.resolve(Bodies.GLUE.replace('.', '/')))) {
      for (Path file : files.filter(Glue::isClass).toList()) {
        ClassModel model = ClassFile.of().parse(file);
        String name = file.getFileName().toString().replace(".class", "");
        if (types.put(name, model) != null) {
          throw new RelinkException("two classes of the glue are called " + name + ", by which rows name them");
        }
      }
    }
    return new Glue(types);
  }

  /** Whether a file is a class of the glue; a package-info is compiled to a class that each package may have. */
  private static boolean isClass(Path file) {
    return file.toString().endsWith(".class") && !file.endsWith("package-info.class");
  }

  /** Glue that declares C functions, as native methods of their names. */
  List<ClassModel> withNatives() {
    return types.values().stream()
        .filter(type -> type.methods().stream().anyMatch(Published::isNative))
        .toList();
  }

  /** The methods that classes of the glue call of other classes, by simple names. */
  Set<String> callsAmongItself() {
    Set<String> calls = new TreeSet<>();
    for (ClassModel type : types.values()) {
      for (PoolEntry entry : type.constantPool()) {
        if (entry instanceof MemberRefEntry member && !member.owner().equals(type.thisClass())) {
          calls.add(member.owner().asInternalName().replaceAll(".*/", "") + "." + member.name().stringValue());
        }
      }
    }
    return calls;
  }

  /** The class with a simple name. */
  ClassDesc type(String where, String name) {
    ClassModel type = types.get(name);
    if (type == null) {
      throw new RelinkException(where + ": there is no glue " + name);
    }
    return type.thisClass().asSymbol();
  }

  /** The type of the glue's method for a native one: with the same parameters, or the receiver before them. */
  MethodTypeDesc find(String where, String typeName, String name, Method linked, boolean isStatic) {
    type(where, typeName);
    ClassModel type = types.get(typeName);
    MethodTypeDesc same = MethodTypeDesc.ofDescriptor(linked.descriptor());
    MethodTypeDesc withReceiver =
        same.insertParameterTypes(0, ClassDesc.of(linked.type()));
    for (MethodModel method : type.methods()) {
      MethodTypeDesc found = method.methodTypeSymbol();
      if (method.methodName().equalsString(name)
          && method.flags().has(AccessFlag.STATIC)
          && (found.equals(same) || !isStatic && found.equals(withReceiver))) {
        return found;
      }
    }
    throw new RelinkException(
        "%s: %s has no static method %s%s".formatted(where, typeName, name, same.descriptorString()));
  }
}
