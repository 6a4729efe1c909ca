/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.relinker;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The compiled glue: classes with static methods that stand in for native ones, by simple name. */
record Glue(Map<String, ClassModel> types) {
  static Glue read(Path classes) throws IOException {
    Map<String, ClassModel> types = new TreeMap<>();
    try (Stream<Path> files = Files.list(classes.resolve(Bodies.GLUE.replace('.', '/')))) {
      for (Path file : files.filter(file -> file.toString().endsWith(".class")).toList()) {
        ClassModel model = ClassFile.of().parse(file);
        types.put(file.getFileName().toString().replace(".class", ""), model);
      }
    }
    return new Glue(types);
  }

  /** Glue that declares C functions, as native methods of their names. */
  List<ClassModel> withNatives() {
    return types.values().stream()
        .filter(type -> type.methods().stream().anyMatch(Published::isNative))
        .toList();
  }

  /** The type of the glue's method for a native one: with the same parameters, or the receiver before them. */
  MethodTypeDesc find(String where, String typeName, String name, Method linked, boolean isStatic) {
    ClassModel type = types.get(typeName);
    if (type == null) {
      throw new RelinkException(where + ": there is no glue " + typeName);
    }
    MethodTypeDesc same = MethodTypeDesc.ofDescriptor(linked.descriptor());
    MethodTypeDesc withReceiver =
        same.insertParameterTypes(0, java.lang.constant.ClassDesc.of(linked.type()));
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
