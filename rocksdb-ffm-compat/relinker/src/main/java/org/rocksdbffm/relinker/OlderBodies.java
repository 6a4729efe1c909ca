/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.relinker;

import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.MethodModel;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.List;

/** Writes the bodies of a class's methods from older releases, as described in their rows. */
final class OlderBodies {
  private final ClassModel type;
  private final ClassDesc name;
  private final boolean isGuarded;
  private final Glue glue;
  private final Report report;

  OlderBodies(ClassModel type, ClassTree classes, Glue glue, Report report) {
    this.type = type;
    this.name = type.thisClass().asSymbol();
    this.isGuarded = classes.guardedBase(name) != null;
    this.glue = glue;
    this.report = report;
  }

  void write(CodeBuilder code, OlderMembers.Row row) {
    switch (row.fate()) {
      case OlderMembers.Fate.Ignored ignored -> ignore(code, ignored, row.type());
      case OlderMembers.Fate.Calls calls -> call(code, row, calls);
      case OlderMembers.Fate.ToGlue to -> callGlue(code, row, to);
      case OlderMembers.Fate.Refused refused -> Bodies.refuse(
          code,
          "%s.%s%s of release %s is not there any more: %s".formatted(
              row.member().type(),
              row.member().name(),
              row.type().displayDescriptor().replaceFirst("\\).*", ")"),
              row.release(),
              refused.reason()));
      case OlderMembers.Fate.Declared declared -> Bodies.refuse(
          code, "this implementation of %s has no %s".formatted(row.member().type(), row.member().name()));
      case OlderMembers.Fate.Constant constant -> throw row.fails("a method is no constant");
      case OlderMembers.Fate.Written written -> throw row.fails("the published release has the class");
    }
  }

  /** Writes a bridge to a method with the same parameters. */
  void writeBridge(CodeBuilder code, OlderMembers.Row row) {
    code.aload(0);
    for (int i = 0; i < row.type().parameterCount(); i++) {
      pushParameter(code, row, i);
    }
    code.invokevirtual(name, row.member().name(), row.type()).areturn();
  }

  /** Writes an ignored setter or getter. Reads the pointer, so that the guard throws if the object is closed. */
  private void ignore(CodeBuilder code, OlderMembers.Fate.Ignored ignored, MethodTypeDesc descriptor) {
    if (isGuarded) {
      pushHandle(code);
      code.pop2();
    }
    code.aload(0);
    String field = OlderProperty.field(ignored.property());
    if (descriptor.parameterCount() == 0) {
      code.getfield(name, field, descriptor.returnType()).return_(TypeKind.from(descriptor.returnType()));
      return;
    }
    if (ignored.property() != null) {
      ClassDesc kept = descriptor.parameterType(0);
      code.dup().loadLocal(TypeKind.from(kept), 1).putfield(name, field, kept);
    }
    code.areturn();
  }

  private void call(CodeBuilder code, OlderMembers.Row row, OlderMembers.Fate.Calls calls) {
    MethodTypeDesc called = MethodTypeDesc.ofDescriptor(calls.descriptor());
    boolean isThere = type.methods().stream()
        .anyMatch(call -> call.methodName().equalsString(calls.name()) && call.methodTypeSymbol().equals(called));
    if (!isThere || row.isStatic() || called.parameterCount() != calls.arguments().size()) {
      throw row.fails("it calls what there is not, or with other arguments");
    }
    code.aload(0);
    pushArguments(code, row, calls.arguments(), called);
    if (calls.name().equals(ConstantDescs.INIT_NAME)) {
      code.invokespecial(name, calls.name(), called);
    } else {
      code.invokevirtual(name, calls.name(), called);
    }
    code.return_(TypeKind.from(row.type().returnType()));
  }

  private void callGlue(CodeBuilder code, OlderMembers.Row row, OlderMembers.Fate.ToGlue to) {
    ClassDesc owner = glue.type(row.where(), to.type());
    List<MethodTypeDesc> found = glue.types().get(to.type()).methods().stream()
        .filter(candidate -> candidate.methodName().equalsString(to.method()) && Published.isPublicStatic(candidate))
        .map(MethodModel::methodTypeSymbol)
        .filter(candidate -> candidate.parameterCount() == to.arguments().size())
        .toList();
    if (found.size() != 1) {
      throw row.fails(found.size() + " methods of the glue take these arguments");
    }
    report.uses(to.type(), to.method(), found.getFirst());
    pushArguments(code, row, to.arguments(), found.getFirst());
    code.invokestatic(owner, to.method(), found.getFirst());
    if (row.type().returnType().equals(name)) { // a setter, which returns its object
      code.aload(0);
    }
    code.return_(TypeKind.from(row.type().returnType()));
  }

  private void pushArguments(CodeBuilder code, OlderMembers.Row row, List<String> arguments, MethodTypeDesc called) {
    for (int i = 0; i < arguments.size(); i++) {
      String argument = arguments.get(i);
      if (argument.equals("this")) {
        code.aload(0);
      } else if (argument.equals("handle")) {
        pushHandle(code);
      } else if (argument.startsWith("=")) {
        new Route.Argument.Constant(argument.substring(1)).push(code, called.parameterType(i));
      } else {
        pushParameter(code, row, Integer.parseInt(argument));
      }
    }
  }

  private static void pushParameter(CodeBuilder code, OlderMembers.Row row, int index) {
    code.loadLocal(TypeKind.from(row.type().parameterType(index)), Bodies.slot(row.type(), index, row.isStatic()));
  }

  private void pushHandle(CodeBuilder code) {
    code.aload(0).getfield(name, "nativeHandle_", ConstantDescs.CD_long);
  }
}
