/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.relinker;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
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

/** The compiled glue: classes whose static methods replace native ones, by simple name. */
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

  /** Whether a file is a glue class. A package-info class is not one. */
  private static boolean isClass(Path file) {
    return file.toString().endsWith(".class") && !file.endsWith("package-info.class");
  }

  /** Returns glue classes with native methods, which are C functions, or with methods that need an inlining barrier. */
  List<ClassModel> toBeWritten() {
    return types.values().stream()
        .filter(type -> type.methods().stream().anyMatch(Published::isNative) || Wall.isBeforeAnyOf(type.methods()))
        .toList();
  }

  /** Returns the methods that glue classes call in other classes, by simple name and descriptor. */
  Set<String> callsAmongItself() {
    Set<String> calls = new TreeSet<>();
    for (ClassModel type : types.values()) {
      for (PoolEntry entry : type.constantPool()) {
        if (entry instanceof MemberRefEntry member && !member.owner().equals(type.thisClass())) {
          String owner = member.owner().asInternalName().replaceAll(".*/", "");
          calls.add(owner + "." + member.name().stringValue() + member.type().stringValue());
        }
      }
    }
    return calls;
  }

  /** Returns the class with a simple name. */
  ClassDesc type(String where, String name) {
    ClassModel type = types.get(name);
    if (type == null) {
      throw new RelinkException(where + ": there is no glue " + name);
    }
    return type.thisClass().asSymbol();
  }

  /** Returns the type of the glue method for a native method: the same parameters, optionally after the receiver. */
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

  /**
   * Returns the type of the only glue method that fits a route's arguments. The route may omit only the receiver's
   * pointer, if the receiver is passed.
   */
  MethodTypeDesc find(String where, Route.Target target, Method linked, boolean isStatic) {
    MethodTypeDesc parameters = MethodTypeDesc.ofDescriptor(linked.descriptor());
    boolean ofReceiver = target.arguments().contains(new Route.Argument.Receiver());
    for (int i = 0; i < parameters.parameterCount(); i++) {
      boolean isPointer = i == 0 && ofReceiver && parameters.parameterType(0).equals(ConstantDescs.CD_long);
      if (!isPointer && !target.arguments().contains(new Route.Argument.Parameter(i))) {
        throw new RelinkException(where + ": the arguments leave out parameter " + i + " of " + linked);
      }
    }
    List<MethodTypeDesc> found = types.get(target.type()).methods().stream()
        .filter(method -> method.methodName().equalsString(target.method()) && Published.isPublicStatic(method))
        .map(MethodModel::methodTypeSymbol)
        .filter(type -> type.returnType().equals(parameters.returnType()))
        .filter(type -> takes(type, target.arguments(), linked, parameters, isStatic))
        .toList();
    if (found.size() != 1) {
      throw new RelinkException(
          "%s: %d methods %s.%s take these arguments of %s"
              .formatted(where, found.size(), target.type(), target.method(), linked));
    }
    return found.getFirst();
  }

  private boolean takes(
      MethodTypeDesc type, List<Route.Argument> arguments, Method linked, MethodTypeDesc parameters, boolean isStatic) {
    if (type.parameterCount() != arguments.size()) {
      return false;
    }
    for (int i = 0; i < arguments.size(); i++) {
      ClassDesc wanted = type.parameterType(i);
      boolean fits =
          switch (arguments.get(i)) {
            case Route.Argument.Receiver receiver -> !isStatic && wanted.equals(ClassDesc.of(linked.type()));
            case Route.Argument.Parameter parameter ->
                parameter.index() < parameters.parameterCount()
                    && wanted.equals(parameters.parameterType(parameter.index()));
            case Route.Argument.Constant constant -> constant.fits(wanted)
                && (wanted.isPrimitive() || constant.isNull() || hasConstant(wanted, constant.text()));
          };
      if (!fits) {
        return false;
      }
    }
    return true;
  }

  /** Whether a glue enum has a constant with a name. */
  private boolean hasConstant(ClassDesc type, String name) {
    ClassModel model = types.get(type.displayName());
    return model != null
        && model.thisClass().asSymbol().equals(type)
        && model.fields().stream()
            .anyMatch(field -> field.flags().has(AccessFlag.ENUM) && field.fieldName().equalsString(name));
  }
}
