/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.relinker;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicCallSiteDesc;
import java.lang.constant.MethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Writes the bodies of native methods. An {@code invokedynamic} instruction calls the engine function, and so links it
 * at the first call.
 */
final class Bodies {
  static final String GLUE = "org.rocksdbffm.compat";

  private static final ClassDesc LINK = glue("jni.Bootstrap");
  private static final ClassDesc SCRATCH = glue("support.Scratch");
  private static final ClassDesc CALL = ClassDesc.of("org.rocksdbffm.internal.call", "Call");
  private static final MethodTypeDesc BOOTSTRAP =
      MethodTypeDesc.of(
          ConstantDescs.CD_CallSite,
          ConstantDescs.CD_MethodHandles_Lookup,
          ConstantDescs.CD_String,
          ConstantDescs.CD_MethodType);
  private static final DirectMethodHandleDesc TO_C = bootstrap("function");
  private static final DirectMethodHandleDesc TO_ENVIRONMENT = bootstrap("environment");

  private Bodies() {}

  /** Returns a class of the drop-in, by its name relative to the common package. */
  static ClassDesc glue(String name) {
    return ClassDesc.of(GLUE + "." + name);
  }

  private static DirectMethodHandleDesc bootstrap(String name) {
    return MethodHandleDesc.ofMethod(DirectMethodHandleDesc.Kind.STATIC, LINK, name, BOOTSTRAP);
  }

  /** Calls RocksDB's JNI entry point for this method, with null instead of a {@code JNIEnv} and a class. */
  static void callEntryPoint(
      CodeBuilder code, String symbol, boolean isStatic, MethodTypeDesc type, boolean isGlue) {
    MethodTypeDesc entryPoint = type.insertParameterTypes(0, ConstantDescs.CD_long, ConstantDescs.CD_long);
    code.lconst_0().lconst_0();
    callWithWords(code, symbol, isStatic ? 0 : 1, type, entryPoint, isGlue);
  }

  /**
   * Calls RocksDB's JNI entry point for this method, with a {@code JNIEnv} made of upcalls. {@code owner} may be null.
   */
  static void callWithEnvironment(
      CodeBuilder code, String symbol, boolean isStatic, ClassDesc owner, MethodTypeDesc type) {
    if (!isStatic) {
      code.aload(0);
    } else if (owner == null) {
      code.aconst_null();
    } else {
      code.ldc(owner);
    }
    loadArguments(code, isStatic ? 0 : 1, type);
    MethodTypeDesc withOwner = type.insertParameterTypes(0, ConstantDescs.CD_Object);
    code.invokedynamic(DynamicCallSiteDesc.of(TO_ENVIRONMENT, symbol, withOwner));
    code.return_(TypeKind.from(type.returnType()));
  }

  /** Calls a C function with exactly the parameters of this method, which is glue. */
  static void callFunction(CodeBuilder code, String symbol, MethodTypeDesc type) {
    callWithWords(code, symbol, 0, type, type, true);
  }

  /** Pushes the arguments of this method after those already pushed, calls the function, and returns the result. */
  private static void callWithWords(
      CodeBuilder code, String symbol, int slot, MethodTypeDesc type, MethodTypeDesc function, boolean isGlue) {
    int pushed = function.parameterCount() - type.parameterCount();
    for (int i = 0; i < type.parameterCount(); i++) {
      TypeKind kind = TypeKind.from(type.parameterType(i));
      code.loadLocal(kind, slot);
      slot += kind.slotSize();
      Words.widen(code, function, pushed + i);
    }
    Words.call(code, TO_C, symbol, function, isGlue);
    code.return_(TypeKind.from(type.returnType()));
  }

  /** Calls a static glue method with the parameters of this method, and optionally the receiver before them. */
  static void callGlue(CodeBuilder code, ClassDesc glue, String method, MethodTypeDesc glueType, MethodTypeDesc type,
      boolean isStatic) {
    checkByGlue(code, glue, method, glueType, type, isStatic);
    code.return_(TypeKind.from(type.returnType()));
  }

  /** Calls a static glue method with the arguments of the route. */
  static void callGlue(CodeBuilder code, ClassDesc glue, Route.Target target, MethodTypeDesc glueType,
      MethodTypeDesc type, boolean isStatic) {
    for (int i = 0; i < glueType.parameterCount(); i++) {
      switch (target.arguments().get(i)) {
        case Route.Argument.Receiver receiver -> code.aload(0);
        case Route.Argument.Parameter parameter ->
            code.loadLocal(TypeKind.from(glueType.parameterType(i)), slot(type, parameter.index(), isStatic));
        case Route.Argument.Constant constant -> constant.push(code, glueType.parameterType(i));
      }
    }
    code.invokestatic(glue, target.method(), glueType);
    code.return_(TypeKind.from(type.returnType()));
  }

  /** Calls a static glue method that may throw. The body continues after the call. */
  static void checkByGlue(CodeBuilder code, ClassDesc glue, String method, MethodTypeDesc glueType, MethodTypeDesc type,
      boolean isStatic) {
    if (glueType.parameterCount() > type.parameterCount()) {
      code.aload(0);
    }
    loadArguments(code, isStatic ? 0 : 1, type);
    code.invokestatic(glue, method, glueType);
  }

  static void refuse(CodeBuilder code, String message) {
    ClassDesc exception = ClassDesc.of("java.lang.UnsupportedOperationException");
    code.new_(exception)
        .dup()
        .ldc(message)
        .invokespecial(exception, ConstantDescs.INIT_NAME, MethodTypeDesc.of(ConstantDescs.CD_void,
            ConstantDescs.CD_String))
        .athrow();
  }

  /** Calls a C function with the parameters of this method, converted to the C types. */
  static void callC(CodeBuilder code, CApi.Function function, List<Integer> order, boolean isStatic,
      MethodTypeDesc type) {
    List<String> parameters = function.arguments();
    List<Integer> sources = order.isEmpty() ? IntStream.range(0, type.parameterCount()).boxed().toList() : order;
    require(sources.size() == parameters.size(), function, "takes " + parameters.size() + " arguments");
    boolean scratch = function.canFail() || parameters.stream().anyMatch(Bodies::needsScratch);
    if (!scratch) {
      callC(code, function, sources, isStatic, type, -1);
      code.return_(TypeKind.from(type.returnType()));
      return;
    }
    int call = code.allocateLocal(TypeKind.REFERENCE);
    code.invokestatic(SCRATCH, "enter", MethodTypeDesc.of(CALL)).astore(call);
    code.trying(
        body -> {
          callC(body, function, sources, isStatic, type, call);
          if (function.canFail()) {
            body.aload(call).invokestatic(SCRATCH, "check", MethodTypeDesc.of(ConstantDescs.CD_void, CALL));
          }
          leave(body, call);
          body.return_(TypeKind.from(type.returnType()));
        },
        handlers ->
            handlers.catchingAll(
                handler -> {
                  leave(handler, call);
                  handler.athrow();
                }));
  }

  private static void leave(CodeBuilder code, int call) {
    code.aload(call).invokestatic(SCRATCH, "leave", MethodTypeDesc.of(ConstantDescs.CD_void, CALL));
  }

  private static boolean needsScratch(String type) {
    return CApi.isWrapper(type) || type.equals(CApi.TEXT);
  }

  private static void callC(CodeBuilder code, CApi.Function function, List<Integer> sources, boolean isStatic,
      MethodTypeDesc type, int call) {
    require(!needsScratch(function.result()), function, "returns what has to be unwrapped: that is glue");
    MethodTypeDesc linked = linked(function, sources, type);
    int word = 0;
    for (int i = 0; i < sources.size(); i++) {
      String cType = function.parameters().get(i);
      ClassDesc given = type.parameterType(sources.get(i));
      int slot = slot(type, sources.get(i), isStatic);
      if (cType.equals(CApi.TEXT)) {
        require(given.equals(ConstantDescs.CD_String), function, "takes text, not " + given.displayName());
        code.aload(call).aload(slot)
            .invokestatic(SCRATCH, "text",
                MethodTypeDesc.of(ConstantDescs.CD_long, CALL, ConstantDescs.CD_String));
      } else if (CApi.isWrapper(cType)) {
        require(given.equals(ConstantDescs.CD_long), function, "takes a pointer, not " + given.displayName());
        code.aload(call).loadConstant(word).lload(slot)
            .invokestatic(SCRATCH, "wrap",
                MethodTypeDesc.of(ConstantDescs.CD_long, CALL, ConstantDescs.CD_int, ConstantDescs.CD_long));
        word += 2;
      } else {
        code.loadLocal(TypeKind.from(given), slot);
        convert(code, given, linked.parameterType(i), function);
        Words.widen(code, linked, i);
      }
    }
    if (function.canFail()) {
      code.aload(call)
          .invokestatic(SCRATCH, "error", MethodTypeDesc.of(ConstantDescs.CD_long, CALL));
    }
    Words.call(code, TO_C, function.name(), linked, false);
    convertResult(code, function, linked.returnType(), type.returnType());
  }

  /**
   * Returns the type with which the C function is linked. Arguments that are wrapped or copied are passed as pointers,
   * and so is the error.
   */
  private static MethodTypeDesc linked(CApi.Function function, List<Integer> sources, MethodTypeDesc type) {
    List<ClassDesc> widths = new ArrayList<>();
    for (int i = 0; i < sources.size(); i++) {
      String cType = function.parameters().get(i);
      widths.add(
          needsScratch(cType) ? ConstantDescs.CD_long : passedAs(cType, type.parameterType(sources.get(i))));
    }
    if (function.canFail()) {
      widths.add(ConstantDescs.CD_long);
    }
    return MethodTypeDesc.of(passedAs(function.result(), type.returnType()), widths);
  }

  /** Returns a Java type with the width of the C type; boolean if both types are boolean. */
  private static ClassDesc passedAs(String cType, ClassDesc javaType) {
    String width = CApi.width(cType);
    return width.equals("B") && javaType.equals(ConstantDescs.CD_boolean)
        ? javaType
        : ClassDesc.ofDescriptor(width);
  }

  private static void convert(CodeBuilder code, ClassDesc from, ClassDesc to, CApi.Function function) {
    require(from.isPrimitive(), function, "takes numbers, not " + from.displayName());
    boolean isLong = from.equals(ConstantDescs.CD_long);
    if (to.equals(ConstantDescs.CD_long) && !isLong) {
      require(!from.equals(ConstantDescs.CD_double), function, "takes no double");
      code.i2l();
    } else if (!to.equals(ConstantDescs.CD_long) && isLong) {
      require(!to.equals(ConstantDescs.CD_double), function, "takes a double");
      code.l2i();
    }
    if (to.equals(ConstantDescs.CD_byte) && !from.equals(ConstantDescs.CD_byte)) {
      code.i2b();
    }
  }

  private static void convertResult(CodeBuilder code, CApi.Function function, ClassDesc from, ClassDesc to) {
    if (to.equals(ConstantDescs.CD_void)) {
      require(from.equals(to), function, "returns something");
      return;
    }
    require(!from.equals(ConstantDescs.CD_void), function, "returns nothing");
    if (from.equals(to)) {
      return;
    }
    if (to.equals(ConstantDescs.CD_boolean)) {
      require(!from.equals(ConstantDescs.CD_long), function, "returns a word, and no truth value");
      toTruth(code);
    } else if (to.equals(ConstantDescs.CD_long)) {
      code.i2l();
      if (function.result().startsWith("u") && from.equals(ConstantDescs.CD_int)) {
        code.loadConstant(0xFFFFFFFFL).land();
      }
    } else {
      require(to.isPrimitive() && !to.equals(ConstantDescs.CD_double), function, "returns a number");
      if (from.equals(ConstantDescs.CD_long)) {
        code.l2i();
      }
      if (to.equals(ConstantDescs.CD_byte)) {
        code.i2b();
      }
    }
  }

  /** Converts the int on the stack to a boolean: true unless zero. */
  static CodeBuilder toTruth(CodeBuilder code) {
    return code.invokestatic(
        SCRATCH, "isTrue", MethodTypeDesc.of(ConstantDescs.CD_boolean, ConstantDescs.CD_int));
  }

  private static void require(boolean holds, CApi.Function function, String message) {
    if (!holds) {
      throw new RelinkException(function.name() + " " + message);
    }
  }

  static int slot(MethodTypeDesc type, int index, boolean isStatic) {
    int slot = isStatic ? 0 : 1;
    for (int i = 0; i < index; i++) {
      slot += TypeKind.from(type.parameterType(i)).slotSize();
    }
    return slot;
  }

  static void loadArguments(CodeBuilder code, int first, MethodTypeDesc type) {
    int slot = first;
    for (ClassDesc parameter : type.parameterList()) {
      TypeKind kind = TypeKind.from(parameter);
      code.loadLocal(kind, slot);
      slot += kind.slotSize();
    }
  }
}
