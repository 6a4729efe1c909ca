/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.relinker;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.Map;

/**
 * Tells the guards who lives how long: gives every native object its guard, hands closing to it, and says whose
 * children iterators, column families and transactions are.
 */
final class Lifetimes {
  private static final ClassDesc IMMUTABLE = ClassDesc.of("org.rocksdb.AbstractImmutableNativeReference");
  private static final ClassDesc MUTABLE = ClassDesc.of("org.rocksdb.RocksMutableObject");
  private static final ClassDesc GUARD = GuardWeaver.GUARD;
  private static final ClassDesc FLAG = ClassDesc.of("java.util.concurrent.atomic.AtomicBoolean");

  /** Constructors that take their parent, and in which parameter. */
  private static final Map<String, Integer> CHILDREN =
      Map.of(
          "org/rocksdb/AbstractRocksIterator", 0,
          "org/rocksdb/Transaction", 0);

  private final ClassTree classes;

  Lifetimes(ClassTree classes) {
    this.classes = classes;
  }

  void addFields(ClassBuilder builder, ClassModel type) {
    ClassDesc name = type.thisClass().asSymbol();
    if (ClassTree.GUARDED.contains(name)) {
      // Private but to the package, where the woven methods are; synthetic, so no part of the API.
      builder.withField(
          GuardWeaver.FIELD, GUARD, ClassFile.ACC_SYNTHETIC | (name.equals(IMMUTABLE) ? ClassFile.ACC_FINAL : 0));
    }
  }

  /** What to change in a method; null for nothing. */
  CodeTransform weave(ClassModel type, MethodModel method) {
    ClassDesc name = type.thisClass().asSymbol();
    String methodName = method.methodName().stringValue();
    if (method.code().isEmpty()) {
      return null;
    }
    boolean isConstructor = methodName.equals(ConstantDescs.INIT_NAME);
    if (isConstructor && ClassTree.GUARDED.contains(name)) {
      return atReturn(code -> code.aload(0)
          .new_(GUARD)
          .dup()
          .aload(0)
          .invokespecial(GUARD, ConstantDescs.INIT_NAME, MethodTypeDesc.of(ConstantDescs.CD_void,
              ConstantDescs.CD_Object))
          .putfield(name, GuardWeaver.FIELD, GUARD));
    }
    if (isConstructor && isChild(type, method)) {
      return atReturn(code -> code.aload(1)
          .getfield(IMMUTABLE, GuardWeaver.FIELD, GUARD)
          .aload(0)
          .getfield(IMMUTABLE, GuardWeaver.FIELD, GUARD)
          .invokestatic(GUARD, "adopt", MethodTypeDesc.of(ConstantDescs.CD_void, GUARD, GUARD)));
    }
    if (methodName.equals("close") || methodName.equals("closeE")) {
      return closing();
    }
    return null;
  }

  private boolean isChild(ClassModel type, MethodModel method) {
    return method.methodTypeSymbol().parameterCount() > 0
        && (CHILDREN.containsKey(type.thisClass().asInternalName())
            || type.thisClass().asInternalName().equals("org/rocksdb/ColumnFamilyHandle")
                && method.methodTypeSymbol().parameterCount() == 2)
        && classes.guardedBase(method.methodTypeSymbol().parameterType(0)) != null;
  }

  private interface Emitter {
    void emit(CodeBuilder code);
  }

  private static CodeTransform atReturn(Emitter emitter) {
    return (code, element) -> {
      if (element instanceof ReturnInstruction) {
        emitter.emit(code);
      }
      code.with(element);
    };
  }

  /** Where the owner's flag is lowered, the guard is asked instead, which first waits for all who use the object. */
  private static CodeTransform closing() {
    return (code, element) -> {
      if (element instanceof InvokeInstruction call
          && call.owner().asSymbol().equals(FLAG)
          && call.name().equalsString("compareAndSet")) {
        code.pop2() // true, false
            .aload(0)
            .getfield(IMMUTABLE, GuardWeaver.FIELD, GUARD)
            .invokestatic(GUARD, "mayDispose", MethodTypeDesc.of(ConstantDescs.CD_boolean, FLAG, GUARD));
      } else {
        code.with(element);
      }
    };
  }
}
