/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.relinker;

import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicCallSiteDesc;
import java.lang.constant.DynamicConstantDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.Collections;

/**
 * Calls C functions with words for narrower types, and with at least six words. Words are passed in registers, and a
 * function ignores unused registers and unused bits. So most functions share a type; the JDK creates classes for each
 * type that a program calls, which takes milliseconds.
 */
final class Words {
  private static final int FEWEST = 6;

  /** On every supported platform, this many words are in registers, or in stack slots of the same width. */
  private static final int MOST = 8;

  private static final MethodTypeDesc SIX =
      MethodTypeDesc.of(ConstantDescs.CD_long, Collections.nCopies(FEWEST, ConstantDescs.CD_long));

  private static final ClassDesc SEGMENT = ClassDesc.of("java.lang.foreign.MemorySegment");
  private static final ClassDesc SHARED = Bodies.glue("jni.SharedDowncalls");
  private static final DirectMethodHandleDesc FUNCTION =
      ConstantDescs.ofConstantBootstrap(SHARED, "function", SEGMENT);

  private Words() {}

  /** Returns the type with which a function is linked; unchanged if it has floating-point parameters. */
  static MethodTypeDesc widened(MethodTypeDesc type) {
    if (!isWidened(type)) {
      return type;
    }
    int count = Math.max(FEWEST, type.parameterCount());
    return MethodTypeDesc.of(ConstantDescs.CD_long, Collections.nCopies(count, ConstantDescs.CD_long));
  }

  private static boolean isWidened(MethodTypeDesc type) {
    return type.parameterCount() <= MOST
        && isWordOrNothing(type.returnType())
        && type.parameterList().stream().allMatch(Words::isWordOrNothing);
  }

  private static boolean isWordOrNothing(ClassDesc type) {
    return !type.equals(ConstantDescs.CD_double) && !type.equals(ConstantDescs.CD_float);
  }

  /** Widens the argument on top of the stack to a word. */
  static void widen(CodeBuilder code, MethodTypeDesc type, int index) {
    if (isWidened(type) && !type.parameterType(index).equals(ConstantDescs.CD_long)) {
      code.i2l();
    }
  }

  /**
   * Calls the function. All arguments were pushed and widened.
   *
   * @param isGlue whether the calling class is glue, which may have dynamic constants: rocksdbjni's classes are too old
   */
  static void call(
      CodeBuilder code, DirectMethodHandleDesc bootstrap, String symbol, MethodTypeDesc type, boolean isGlue) {
    MethodTypeDesc widened = widened(type);
    for (int i = type.parameterCount(); i < widened.parameterCount(); i++) {
      code.lconst_0();
    }
    if (isGlue && widened.equals(SIX)) {
      code.loadConstant(DynamicConstantDesc.ofNamed(FUNCTION, symbol, SEGMENT));
      code.invokestatic(SHARED, "six", SIX.insertParameterTypes(FEWEST, SEGMENT));
    } else {
      code.invokedynamic(DynamicCallSiteDesc.of(bootstrap, symbol, widened));
    }
    if (isWidened(type)) {
      narrow(code, type.returnType());
    }
  }

  /** Narrows the result, because the unused bits of the word are arbitrary. */
  private static void narrow(CodeBuilder code, ClassDesc type) {
    switch (type.descriptorString()) {
      case "V" -> code.pop2();
      case "J" -> {}
      case "I" -> code.l2i();
      case "S" -> code.l2i().i2s();
      case "C" -> code.l2i().i2c();
      case "B" -> code.l2i().i2b();
      case "Z" -> Bodies.toTruth(code.l2i().i2b());
      default -> throw new RelinkException("C returns no " + type.displayName());
    }
  }
}
