/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.relinker;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.MethodTypeDesc;
import java.util.List;
import java.util.function.Consumer;

/**
 * Adds a static method that destroys a native object by its pointer. rocksdbjni's methods for this are instance
 * methods, which cannot be called for an object that was collected, although they do not use the object.
 */
final class Disposal {
  private static final String NAME = "dispose$";
  private static final String UPSTREAMS = "disposeInternal";
  private static final MethodTypeDesc BY_POINTER = MethodTypeDesc.ofDescriptor("(J)V");

  private Disposal() {}

  /** Whether rocksdbjni destroys objects of the class with the method. */
  static boolean isBy(MethodModel method) {
    return method.methodName().equalsString(UPSTREAMS)
        && method.methodTypeSymbol().equals(BY_POINTER)
        && (Published.isNative(method) || !call(method).isEmpty());
  }

  /**
   * Adds the static method, with the linked body of a native method, or with the call that a Java method consists of.
   */
  static void add(ClassBuilder builder, MethodModel method, Consumer<CodeBuilder> nativeBody) {
    Consumer<CodeBuilder> body = Published.isNative(method) ? nativeBody : code -> {
      InvokeInstruction called = (InvokeInstruction) call(method).getFirst();
      code.lload(0)
          .invokestatic(called.owner().asSymbol(), called.name().stringValue(), called.typeSymbol())
          .return_();
    };
    builder.withMethodBody(NAME, BY_POINTER, ClassFile.ACC_STATIC | ClassFile.ACC_SYNTHETIC, body);
  }

  /** Returns the call that a method consists of; empty if it does nothing. */
  private static List<CodeElement> call(MethodModel method) {
    if (method.code().isEmpty()) {
      return List.of();
    }
    List<CodeElement> rest =
        method.code().get().elementStream()
            .filter(Instruction.class::isInstance)
            .filter(e -> !(e instanceof LoadInstruction load && load.slot() == 1) && !(e instanceof ReturnInstruction))
            .toList();
    boolean isCall =
        rest.size() == 1
            && rest.getFirst() instanceof InvokeInstruction call
            && call.opcode() == Opcode.INVOKESTATIC
            && call.typeSymbol().equals(BY_POINTER);
    if (!isCall && !rest.isEmpty()) {
      throw new RelinkException(method.parent().orElseThrow().thisClass().asInternalName()
          + " disposes in a way unknown");
    }
    return rest;
  }
}
