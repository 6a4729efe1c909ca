/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.tools;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Map;
import java.util.TreeMap;

/**
 * Loads the drop-in once more, with a counter before each of its calls of native code, by changing the two methods that
 * link them. A class that is to be counted is loaded by this, too. The question how much stack is left is not counted: it
 * takes no more than a call in Java. One thread.
 */
public final class CountedCalls extends ClassLoader {
  private static final ClassDesc HERE = ClassDesc.of(CountedCalls.class.getName());
  private static final String OTHERS = "bindings";

  private static final Map<String, Integer> COUNTS = new TreeMap<>();

  public CountedCalls() {
    super(CountedCalls.class.getClassLoader());
  }

  /** The calls that an action makes, by the names of the functions. */
  public static Map<String, Integer> of(Runnable action) {
    COUNTS.clear();
    action.run();
    COUNTS.remove("rocksdb_ffm_stack_left");
    return new TreeMap<>(COUNTS);
  }

  /** Puts the counter before a function; called where it has been linked. */
  public static MethodHandle counted(MethodHandle function, String name) throws ReflectiveOperationException {
    MethodHandle count =
        MethodHandles.lookup().findStatic(CountedCalls.class, "count", MethodType.methodType(void.class, String.class));
    return MethodHandles.foldArguments(function, count.bindTo(name));
  }

  private static void count(String name) {
    COUNTS.merge(name, 1, Integer::sum);
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith("org.rocksdb") || name.equals(CountedCalls.class.getName())) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded != null ? loaded : define(name);
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    try (InputStream file = getResourceAsStream(name.replace('.', '/') + ".class")) {
      if (file == null) {
        throw new ClassNotFoundException(name);
      }
      byte[] bytes = file.readAllBytes();
      byte[] counted =
          switch (name) {
            case "org.rocksdbffm.internal.foreign.Downcalls" -> counting(bytes, "link", true);
            case "org.rocksdbffm.internal.loader.Linking" -> counting(bytes, "downcall", false);
            default -> bytes;
          };
      return defineClass(name, counted, 0, counted.length, CountedCalls.class.getProtectionDomain());
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }

  /** Counts what a method returns, by the name that is its first argument if it has one. */
  private static byte[] counting(byte[] bytes, String method, boolean isNamed) {
    MethodTypeDesc counted = MethodTypeDesc.of(ConstantDescs.CD_MethodHandle, ConstantDescs.CD_MethodHandle, ConstantDescs.CD_String);
    return ClassFile.of()
        .transformClass(
            ClassFile.of().parse(bytes),
            ClassTransform.transformingMethodBodies(
                its -> its.methodName().equalsString(method),
                (code, element) -> {
                  if (element instanceof ReturnInstruction its && its.opcode() == Opcode.ARETURN) {
                    if (isNamed) {
                      code.aload(0);
                    } else {
                      code.loadConstant(OTHERS);
                    }
                    code.invokestatic(HERE, "counted", counted);
                  }
                  code.with(element);
                }));
  }
}
