/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.relinker;

import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.List;

/**
 * Adds constants of older releases to an enum, in its static initializer. They follow the current constants, which keep
 * their ordinals.
 */
record OlderConstants(ClassDesc type, int first, List<OlderMembers.Row> rows) implements CodeTransform {
  private static final ClassDesc ARRAYS = ClassDesc.of("java.util.Arrays");
  private static final ClassDesc OBJECTS = ConstantDescs.CD_Object.arrayType();
  private static final String VALUES = "$VALUES";
  private static final MethodTypeDesc CONSTRUCTOR =
      MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_String, ConstantDescs.CD_int, ConstantDescs.CD_byte);

  static OlderConstants of(ClassModel type, List<OlderMembers.Row> rows) {
    int first = (int) type.fields().stream().filter(field -> field.flags().has(AccessFlag.ENUM)).count();
    return new OlderConstants(type.thisClass().asSymbol(), first, rows);
  }

  @Override
  public void accept(CodeBuilder code, CodeElement element) {
    if (element instanceof FieldInstruction field
        && field.name().equalsString(VALUES)
        && field.opcode() == Opcode.PUTSTATIC) {
      code.loadConstant(first + rows.size())
          .invokestatic(ARRAYS, "copyOf", MethodTypeDesc.of(OBJECTS, OBJECTS, ConstantDescs.CD_int))
          .checkcast(type.arrayType());
      for (int i = 0; i < rows.size(); i++) {
        code.dup().loadConstant(first + i);
        make(code, rows.get(i), first + i);
        code.aastore();
      }
    }
    code.with(element);
  }

  /** Creates a constant with the number of a current constant. */
  private void make(CodeBuilder code, OlderMembers.Row row, int place) {
    code.new_(type)
        .dup()
        .ldc(row.member().name())
        .loadConstant(place)
        .getstatic(type, ((OlderMembers.Fate.Constant) row.fate()).like(), type)
        .invokevirtual(type, "getValue", MethodTypeDesc.of(ConstantDescs.CD_byte))
        .invokespecial(type, ConstantDescs.INIT_NAME, CONSTRUCTOR)
        .dup()
        .putstatic(type, row.member().name(), type);
  }
}
