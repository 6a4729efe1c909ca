/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.dropin.calls;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.rocksdb.AbstractCompactionFilterFactory;
import org.rocksdb.AbstractComparator;
import org.rocksdb.AbstractEventListener;
import org.rocksdb.AbstractTableFilter;
import org.rocksdb.AbstractTraceWriter;
import org.rocksdb.AbstractTransactionNotifier;
import org.rocksdb.AbstractWalFilter;
import org.rocksdb.Logger;
import org.rocksdb.StatisticsCollectorCallback;
import org.rocksdb.WriteBatch;

/**
 * Generates a subclass of a class that programs may extend. Methods that the engine calls delegate to {@link
 * Behaviour}.
 */
final class Subclass {
  private static final List<Class<?>> EXTENDED =
      List.of(
          AbstractComparator.class,
          AbstractEventListener.class,
          AbstractTableFilter.class,
          AbstractTraceWriter.class,
          AbstractTransactionNotifier.class,
          AbstractWalFilter.class,
          AbstractCompactionFilterFactory.class,
          Logger.class,
          WriteBatch.Handler.class,
          StatisticsCollectorCallback.class);

  /** Methods that manage the native object, and are not callbacks. */
  private static final Set<String> INNER =
      Set.of(
          "initializeNative",
          "disposeInternal",
          "newLogger",
          "setInfoLogLevel",
          "infoLogLevel",
          "getNativeHandle",
          "getLoggerType");

  private static final String PREFIX = "Fuzzed";
  private static final ClassDesc BEHAVIOUR = Behaviour.class.describeConstable().orElseThrow();
  private static final ClassDesc OBJECTS = ConstantDescs.CD_Object.arrayType();
  private static final List<Class<?>> MADE =
      EXTENDED.stream().<Class<?>>map(type -> new Subclass(type).make()).toList();

  private final Class<?> base;
  private final ClassDesc baseDesc;
  private final ClassDesc name;

  private Subclass(Class<?> base) {
    this.base = base;
    baseDesc = base.describeConstable().orElseThrow();
    name = ClassDesc.of(Subclass.class.getPackageName(), PREFIX + base.getSimpleName());
  }

  static List<Class<?>> made() {
    return MADE;
  }

  static boolean isMade(Class<?> type) {
    return type.getSimpleName().startsWith(PREFIX);
  }

  private Class<?> make() {
    byte[] bytes =
        ClassFile.of().build(
            name,
            type -> {
              type.withFlags(ClassFile.ACC_PUBLIC);
              if (base.isInterface()) {
                type.withInterfaceSymbols(baseDesc);
              } else {
                type.withSuperclass(baseDesc);
              }
              type.withField("behaviour", BEHAVIOUR, ClassFile.ACC_PRIVATE);
              constructors(type);
              callbacks().forEach(method -> callback(type, method));
            });
    try {
      return MethodHandles.lookup().defineClass(bytes);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  private void constructors(ClassBuilder type) {
    if (base.isInterface()) {
      constructor(type, ConstantDescs.CD_Object, MethodTypeDesc.of(ConstantDescs.CD_void));
    }
    for (Constructor<?> constructor : base.getDeclaredConstructors()) {
      if ((constructor.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0) {
        constructor(
            type,
            baseDesc,
            MethodTypeDesc.of(
                ConstantDescs.CD_void,
                List.of(constructor.getParameterTypes()).stream()
                    .map(parameter -> parameter.describeConstable().orElseThrow())
                    .toList()));
      }
    }
  }

  /**
   * Writes a constructor with the behaviour as first parameter, stored before the superclass's constructor calls a
   * method.
   */
  private void constructor(ClassBuilder type, ClassDesc superclass, MethodTypeDesc above) {
    type.withMethodBody(
        ConstantDescs.INIT_NAME,
        above.insertParameterTypes(0, BEHAVIOUR),
        ClassFile.ACC_PUBLIC,
        code -> {
          code.aload(0).aload(1).putfield(name, "behaviour", BEHAVIOUR).aload(0);
          load(code, 2, above);
          code.invokespecial(superclass, ConstantDescs.INIT_NAME, above).return_();
        });
  }

  private static void load(CodeBuilder code, int slot, MethodTypeDesc type) {
    for (ClassDesc parameter : type.parameterList()) {
      TypeKind kind = TypeKind.from(parameter);
      code.loadLocal(kind, slot);
      slot += kind.slotSize();
    }
  }

  private List<Method> callbacks() {
    Map<String, Method> callbacks = new LinkedHashMap<>();
    List<Class<?>> types = new ArrayList<>();
    types.add(base);
    types.addAll(List.of(base.getInterfaces()));
    for (Class<?> type : types) {
      for (Method method : type.getDeclaredMethods()) {
        boolean hidden = (method.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) == 0;
        boolean fixed = (method.getModifiers() & (Modifier.FINAL | Modifier.STATIC | Modifier.PRIVATE)) != 0;
        if (!hidden && !fixed && !method.isSynthetic() && !INNER.contains(method.getName())) {
          callbacks.putIfAbsent(ApiMember.of(method).key().replaceAll("^.*\\.", ""), method);
        }
      }
    }
    return List.copyOf(callbacks.values());
  }

  private void callback(ClassBuilder type, Method method) {
    MethodTypeDesc desc =
        MethodTypeDesc.of(
            method.getReturnType().describeConstable().orElseThrow(),
            List.of(method.getParameterTypes()).stream()
                .map(parameter -> parameter.describeConstable().orElseThrow())
                .toList());
    type.withMethodBody(
        method.getName(),
        desc,
        ClassFile.ACC_PUBLIC,
        code -> {
          code.aload(0).getfield(name, "behaviour", BEHAVIOUR).ldc(method.getName());
          code.ldc(method.getReturnType().isPrimitive() ? box(method.getReturnType()) : desc.returnType());
          code.loadConstant(desc.parameterCount()).anewarray(ConstantDescs.CD_Object);
          arguments(code, desc);
          code.invokevirtual(
              BEHAVIOUR,
              "called",
              MethodTypeDesc.of(ConstantDescs.CD_Object, ConstantDescs.CD_String, ConstantDescs.CD_Class, OBJECTS));
          answer(code, desc.returnType());
        });
  }

  private static ClassDesc box(Class<?> primitive) {
    return java.lang.invoke.MethodType.methodType(primitive).wrap().returnType().describeConstable().orElseThrow();
  }

  private static void arguments(CodeBuilder code, MethodTypeDesc type) {
    int slot = 1;
    for (int i = 0; i < type.parameterCount(); i++) {
      TypeKind kind = TypeKind.from(type.parameterType(i));
      code.dup().loadConstant(i);
      switch (kind) {
        case REFERENCE -> code.aload(slot);
        case LONG -> code.lload(slot).invokestatic(
            ConstantDescs.CD_Long, "valueOf", MethodTypeDesc.of(ConstantDescs.CD_Long, ConstantDescs.CD_long));
        default -> code.iload(slot).invokestatic(
            ConstantDescs.CD_Integer, "valueOf", MethodTypeDesc.of(ConstantDescs.CD_Integer, ConstantDescs.CD_int));
      }
      code.aastore();
      slot += kind.slotSize();
    }
  }

  private static void answer(CodeBuilder code, ClassDesc type) {
    switch (TypeKind.from(type)) {
      case VOID -> code.pop();
      case REFERENCE -> code.checkcast(type);
      case LONG -> code.checkcast(ConstantDescs.CD_Long)
          .invokevirtual(ConstantDescs.CD_Long, "longValue", MethodTypeDesc.of(ConstantDescs.CD_long));
      case BOOLEAN -> code.checkcast(ConstantDescs.CD_Boolean)
          .invokevirtual(ConstantDescs.CD_Boolean, "booleanValue", MethodTypeDesc.of(ConstantDescs.CD_boolean));
      default -> code.checkcast(ConstantDescs.CD_Integer)
          .invokevirtual(ConstantDescs.CD_Integer, "intValue", MethodTypeDesc.of(ConstantDescs.CD_int));
    }
    code.return_(TypeKind.from(type));
  }
}
