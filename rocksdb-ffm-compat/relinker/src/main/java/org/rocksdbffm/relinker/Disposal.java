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
 * The method of a class that destroys a native object by its pointer alone. Upstream's own are methods of the object, which
 * is not there any more when it was forgotten, but do nothing with it.
 */
final class Disposal {
  private static final String NAME = "dispose$";
  private static final String UPSTREAMS = "disposeInternal";
  private static final MethodTypeDesc BY_POINTER = MethodTypeDesc.ofDescriptor("(J)V");

  private Disposal() {}

  /** Whether upstream destroys objects of the class by the method. */
  static boolean isBy(MethodModel method) {
    return method.methodName().equalsString(UPSTREAMS)
        && method.methodTypeSymbol().equals(BY_POINTER)
        && (Published.isNative(method) || !call(method).isEmpty());
  }

  /** Adds the method: with the body of upstream's if that is native, and with the call that it consists of if it is not. */
  static void add(ClassBuilder builder, MethodModel method, Consumer<CodeBuilder> nativeBody) {
    Consumer<CodeBuilder> body = Published.isNative(method) ? nativeBody : code -> {
      InvokeInstruction called = (InvokeInstruction) call(method).getFirst();
      code.lload(0)
          .invokestatic(called.owner().asSymbol(), called.name().stringValue(), called.typeSymbol())
          .return_();
    };
    builder.withMethodBody(NAME, BY_POINTER, ClassFile.ACC_STATIC | ClassFile.ACC_SYNTHETIC, body);
  }

  /** The call that a method consists of; empty if it does nothing. */
  private static List<CodeElement> call(MethodModel method) {
    if (method.code().isEmpty()) {
      return List.of();
    }
    List<CodeElement> rest =
        method.code().get().elementStream()
            .filter(Instruction.class::isInstance)
            .filter(its -> !(its instanceof LoadInstruction load && load.slot() == 1) && !(its instanceof ReturnInstruction))
            .toList();
    boolean isCall =
        rest.size() == 1
            && rest.getFirst() instanceof InvokeInstruction call
            && call.opcode() == Opcode.INVOKESTATIC
            && call.typeSymbol().equals(BY_POINTER);
    if (!isCall && !rest.isEmpty()) {
      throw new RelinkException(method.parent().orElseThrow().thisClass().asInternalName() + " disposes in a way unknown");
    }
    return rest;
  }
}
