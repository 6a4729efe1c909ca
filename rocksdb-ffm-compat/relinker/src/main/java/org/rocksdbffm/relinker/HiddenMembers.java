/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.relinker;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Lets the glue reach members that rocksdbjni's classes hide. A glue method that is native, and named after such a
 * member with {@value LifetimeWeaver#ADDED} after it, reads or writes the field, or calls the method, of its first
 * argument. The member's class gets a static method for this. A {@code VarHandle} or {@code MethodHandle} would cost
 * each start some classes, and each caller some bytes of code.
 */
final class HiddenMembers {
  private final List<MethodModel> wanted;

  HiddenMembers(Collection<ClassModel> glue) {
    wanted = glue.stream().flatMap(type -> type.methods().stream()).filter(HiddenMembers::isWanted).toList();
  }

  /** Whether a glue method needs a method of its first argument; a second build finds the method linked already. */
  private static boolean isWanted(MethodModel method) {
    return isNamedAfterMember(method)
        && method.flags().has(AccessFlag.STATIC)
        && method.methodTypeSymbol().parameterCount() > 0
        && !LifetimeWeaver.isAddedField(method.methodName().stringValue());
  }

  private static boolean isNamedAfterMember(MethodModel glue) {
    return glue.methodName().stringValue().endsWith(LifetimeWeaver.ADDED);
  }

  /** Whether a glue method reaches a member of a rocksdbjni class, and has no body yet. */
  static boolean reaches(MethodModel glue) {
    return Published.isNative(glue) && isNamedAfterMember(glue);
  }

  /** Adds the methods for the hidden members of a rocksdbjni class. */
  void add(ClassBuilder builder, ClassModel type) {
    for (MethodModel glue : wanted) {
      if (glue.methodTypeSymbol().parameterType(0).equals(type.thisClass().asSymbol())) {
        builder.withMethodBody(
            glue.methodName().stringValue(),
            glue.methodTypeSymbol(),
            ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC | ClassFile.ACC_SYNTHETIC,
            code -> reach(code, type, glue));
      }
    }
  }

  private static void reach(CodeBuilder code, ClassModel type, MethodModel glue) {
    String added = glue.methodName().stringValue();
    String name = added.substring(0, added.length() - LifetimeWeaver.ADDED.length());
    Optional<FieldModel> field =
        type.fields().stream().filter(member -> member.fieldName().equalsString(name)).findFirst();
    MethodTypeDesc rest = glue.methodTypeSymbol().dropParameterTypes(0, 1);
    if (field.isPresent()) {
      boolean isStatic = field.get().flags().has(AccessFlag.STATIC);
      access(code, type.thisClass().asSymbol(), name, glue.methodTypeSymbol(), isStatic);
    } else if (type.methods().stream()
        .anyMatch(member -> member.methodName().equalsString(name) && member.methodTypeSymbol().equals(rest))) {
      code.aload(0);
      Bodies.loadArguments(code, 1, rest);
      code.invokevirtual(type.thisClass().asSymbol(), name, rest).return_(TypeKind.from(rest.returnType()));
    } else {
      throw new RelinkException(
          type.thisClass().asInternalName() + " has no member " + name + " for the glue's " + added);
    }
  }

  /** Writes the body of a method that reads a field, or with a second parameter writes it. */
  static void access(CodeBuilder code, ClassDesc owner, String field, MethodTypeDesc type, boolean isStatic) {
    if (type.parameterCount() > 1) {
      code.aload(0).loadLocal(TypeKind.from(type.parameterType(1)), 1).putfield(owner, field, type.parameterType(1));
    } else if (isStatic) {
      code.getstatic(owner, field, type.returnType());
    } else {
      code.aload(0).getfield(owner, field, type.returnType());
    }
    code.return_(TypeKind.from(type.returnType()));
  }

  /** Writes the body of a glue method that reaches a member. */
  static void link(CodeBuilder code, MethodModel glue) {
    String name = glue.methodName().stringValue();
    MethodTypeDesc type = glue.methodTypeSymbol();
    if (LifetimeWeaver.isAddedField(name)) {
      access(code, type.parameterType(0), name, type, false);
    } else {
      Bodies.loadArguments(code, 0, type);
      code.invokestatic(type.parameterType(0), name, type).return_(TypeKind.from(type.returnType()));
    }
  }
}
