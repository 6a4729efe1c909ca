/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.relinker;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.reflect.AccessFlag;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/** The classes that the RocksDB project publishes. */
record Published(List<ClassModel> types) {
  static Published read(Path jar) throws IOException {
    List<ClassModel> types = new ArrayList<>();
    try (JarFile file = new JarFile(jar.toFile())) {
      for (JarEntry entry : file.stream().filter(entry -> entry.getName().endsWith(".class")).toList()) {
        types.add(ClassFile.of().parse(file.getInputStream(entry).readAllBytes()));
      }
    }
    return new Published(types);
  }

  static boolean isNative(MethodModel method) {
    return method.flags().has(AccessFlag.NATIVE);
  }

  static boolean isPublicStatic(MethodModel method) {
    return method.flags().has(AccessFlag.PUBLIC) && method.flags().has(AccessFlag.STATIC);
  }

  static Method method(ClassModel type, MethodModel method) {
    return new Method(
        type.thisClass().asInternalName().replace('/', '.'),
        method.methodName().stringValue(),
        method.methodType().stringValue());
  }

  /** Whether the class has another native method with the same name, so that JNI uses the long symbol. */
  static boolean isOverloaded(ClassModel type, MethodModel method) {
    return type.methods().stream()
            .filter(other -> isNative(other) && other.methodName().equalsString(method.methodName().stringValue()))
            .count()
        > 1;
  }
}
