/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.relinker;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;

/**
 * Ends the loans of a callback method when it returns: native objects among its arguments, and native objects that it
 * creates, use memory that the engine frees then.
 */
final class CallbackWeaver implements CodeTransform {
  private static final ClassDesc LOANS = Bodies.glue("lifetime.CallbackLoans");
  private static final ClassDesc OBJECT = ConstantDescs.CD_Object;

  private final MethodTypeDesc type;
  private final List<Label[]> ranges = new ArrayList<>();
  private int loans;
  private Label start;
  private boolean isEmpty;

  /** Creates a transform for an instance method. */
  CallbackWeaver(MethodTypeDesc type) {
    this.type = type;
  }

  @Override
  public void atStart(CodeBuilder code) {
    loans = code.allocateLocal(TypeKind.REFERENCE);
    code.aconst_null().astore(loans);
    int slot = 1;
    for (ClassDesc parameter : type.parameterList()) {
      if (parameter.isClassOrInterface()) {
        code.aload(slot);
        lend(code);
      }
      slot += TypeKind.from(parameter).slotSize();
    }
    begin(code);
  }

  /** Adds the object on top of the stack to the loans. */
  private void lend(CodeBuilder code) {
    code.aload(loans).invokestatic(LOANS, "lend", MethodTypeDesc.of(OBJECT, OBJECT, OBJECT)).astore(loans);
  }

  private void begin(CodeBuilder code) {
    start = code.newBoundLabel();
    isEmpty = true;
  }

  @Override
  public void accept(CodeBuilder code, CodeElement element) {
    if (element instanceof ReturnInstruction) {
      finish(code);
      end(code);
      code.with(element);
      begin(code);
      return;
    }
    isEmpty &= !(element instanceof Instruction);
    code.with(element);
    if (element instanceof InvokeInstruction call
        && call.opcode() == Opcode.INVOKESPECIAL
        && call.name().equalsString(ConstantDescs.INIT_NAME)) {
      code.dup();
      lend(code);
    }
  }

  private void finish(CodeBuilder code) {
    if (!isEmpty) {
      ranges.add(new Label[] {start, code.newBoundLabel()});
    }
  }

  @Override
  public void atEnd(CodeBuilder code) {
    finish(code);
    Label handler = code.newBoundLabel();
    end(code);
    code.athrow();
    for (Label[] range : ranges) {
      code.exceptionCatchAll(range[0], range[1], handler);
    }
  }

  private void end(CodeBuilder code) {
    code.aload(loans).invokestatic(LOANS, "end", MethodTypeDesc.of(ConstantDescs.CD_void, OBJECT));
  }
}
