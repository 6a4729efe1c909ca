/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.tools;

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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Generates subclasses of abstract classes. Their methods do nothing, and return zero, null or the name of the class.
 */
public final class PlainSubclass {
  private static final Map<Class<?>, Class<?>> MADE = new HashMap<>();

  private PlainSubclass() {}

  /** Creates an object with the constructor that has as many parameters. */
  public static Object of(Class<?> base, Object... arguments) {
    try {
      for (Constructor<?> constructor : MADE.computeIfAbsent(base, PlainSubclass::make).getConstructors()) {
        if (constructor.getParameterCount() == arguments.length) {
          return constructor.newInstance(arguments);
        }
      }
      throw new IllegalArgumentException(base.getName());
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static Class<?> make(Class<?> base) {
    ClassDesc superclass = base.describeConstable().orElseThrow();
    String name = PlainSubclass.class.getPackageName() + ".Plain" + base.getSimpleName();
    byte[] bytes =
        ClassFile.of().build(ClassDesc.of(name), type -> {
          type.withFlags(ClassFile.ACC_PUBLIC).withSuperclass(superclass);
          for (Constructor<?> constructor : base.getDeclaredConstructors()) {
            if ((constructor.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0) {
              MethodTypeDesc its = type(void.class, constructor.getParameterTypes());
              type.withMethodBody(
                  ConstantDescs.INIT_NAME, its, ClassFile.ACC_PUBLIC, code -> construct(code, superclass, its));
            }
          }
          Stream.of(base.getMethods(), base.getDeclaredMethods())
              .flatMap(Stream::of)
              .filter(method -> Modifier.isAbstract(method.getModifiers()))
              .distinct()
              .forEach(method -> type.withMethodBody(
                  method.getName(),
                  type(method.getReturnType(), method.getParameterTypes()),
                  ClassFile.ACC_PUBLIC,
                  code -> answer(code, method)));
        });
    try {
      return MethodHandles.lookup().defineClass(bytes);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  private static MethodTypeDesc type(Class<?> result, Class<?>... parameters) {
    return MethodTypeDesc.of(
        result.describeConstable().orElseThrow(),
        List.of(parameters).stream().map(parameter -> parameter.describeConstable().orElseThrow()).toList());
  }

  private static void construct(CodeBuilder code, ClassDesc superclass, MethodTypeDesc type) {
    code.aload(0);
    int slot = 1;
    for (ClassDesc parameter : type.parameterList()) {
      code.loadLocal(TypeKind.from(parameter), slot);
      slot += TypeKind.from(parameter).slotSize();
    }
    code.invokespecial(superclass, ConstantDescs.INIT_NAME, type).return_();
  }

  private static void answer(CodeBuilder code, Method method) {
    TypeKind kind = TypeKind.from(method.getReturnType());
    switch (kind) {
      case VOID -> { }
      case REFERENCE -> {
        if (method.getReturnType() == String.class) {
          code.ldc(method.getDeclaringClass().getName());
        } else {
          code.aconst_null();
        }
      }
      case LONG -> code.lconst_0();
      default -> code.iconst_0();
    }
    code.return_(kind);
  }
}
