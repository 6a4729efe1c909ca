/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.rocksdbffm.compat.JniTable.At;
import org.rocksdbffm.internal.Memory;

/** The functions of a {@code JNIEnv} that the engine's entry points use; what they throw is kept by the {@link JniCall}. */
final class JniFunctions {
  /** How many functions JNI has by now. */
  private static final int COUNT = 236;

  /** One does for all threads. */
  static final long ENVIRONMENT = JniTable.of(MethodHandles.lookup(), COUNT);

  private static final int COMMIT = 1;
  private static final int ABORT = 2;
  private static final int ERROR = -1;

  private JniFunctions() {}

  private static JniCall call() {
    return JniCall.current();
  }

  private static Object object(long reference) {
    return call().object(reference);
  }

  private static <T> T object(long reference, Class<T> type) {
    return Objects.requireNonNull(type.cast(call().object(reference)), "C uses null as a reference");
  }

  private static long reference(Object object) {
    return call().reference(object);
  }

  // Classes and objects.

  @At(6)
  private static long findClass(long env, long name) throws ClassNotFoundException {
    return reference(
        Class.forName(Memory.string(name).replace('/', '.'), true, JniFunctions.class.getClassLoader()));
  }

  @At(23)
  private static void deleteLocalRef(long env, long reference) {
    call().forget(reference);
  }

  @At(26)
  private static int ensureLocalCapacity(long env, int count) {
    return 0;
  }

  @At(29)
  private static long newObject(long env, long type, long constructor, long arguments) throws Throwable {
    return reference(JniMembers.invokeStatic(call(), constructor, arguments));
  }

  @At(31)
  private static long getObjectClass(long env, long object) {
    return reference(object(object, Object.class).getClass());
  }

  @At(32)
  private static boolean isInstanceOf(long env, long object, long type) {
    return object == 0 || object(type, Class.class).isInstance(object(object));
  }

  @At(21)
  private static long newGlobalRef(long env, long reference) {
    return JniCall.global(object(reference));
  }

  @At(22)
  private static void deleteGlobalRef(long env, long reference) {
    JniCall.forgetGlobal(reference);
  }

  @At(219)
  private static int getJavaVM(long env, long result) {
    Memory.at(result, Long.BYTES).set(ValueLayout.JAVA_LONG, 0, JniMachine.MACHINE);
    return 0;
  }

  // Exceptions.

  @At(13)
  private static int throwObject(long env, long throwable) {
    call().fail(object(throwable, Throwable.class));
    return 0;
  }

  @At(14)
  private static int throwNew(long env, long type, long message) throws Throwable {
    Class<?> thrown = object(type, Class.class);
    MethodHandle constructor =
        MethodHandles.publicLookup().findConstructor(thrown, MethodType.methodType(void.class, String.class));
    call().fail((Throwable) constructor.invoke(message == 0 ? null : Memory.string(message)));
    return 0;
  }

  @At(15)
  private static long exceptionOccurred(long env) {
    return reference(call().pending());
  }

  @At(16)
  private static void exceptionDescribe(long env) {
    call().describePending();
  }

  @At(17)
  private static void exceptionClear(long env) {
    call().clearPending();
  }

  @At(228)
  private static boolean exceptionCheck(long env) {
    return call().pending() != null;
  }

  // Methods and fields.

  @At(33)
  private static long getMethodID(long env, long type, long name, long descriptor)
      throws ReflectiveOperationException {
    return JniMembers.method(object(type, Class.class), Memory.string(name), Memory.string(descriptor));
  }

  @At(113)
  private static long getStaticMethodID(long env, long type, long name, long descriptor)
      throws ReflectiveOperationException {
    return JniMembers.staticMethod(object(type, Class.class), Memory.string(name), Memory.string(descriptor));
  }

  @At(94)
  private static long getFieldID(long env, long type, long name, long descriptor)
      throws ReflectiveOperationException {
    return JniMembers.field(object(type, Class.class), Memory.string(name), Memory.string(descriptor));
  }

  @At(144)
  private static long getStaticFieldID(long env, long type, long name, long descriptor)
      throws ReflectiveOperationException {
    return JniMembers.staticField(object(type, Class.class), Memory.string(name), Memory.string(descriptor));
  }

  @At(95)
  private static long getObjectField(long env, long object, long field) throws Throwable {
    return reference(JniMembers.readField(object(object), field));
  }

  @At(145)
  private static long getStaticObjectField(long env, long type, long field) throws Throwable {
    return reference(JniMembers.readStaticField(field));
  }

  @At(35)
  private static long callObjectMethod(long env, long object, long method, long arguments) throws Throwable {
    return reference(JniMembers.invoke(call(), object(object), method, arguments));
  }

  @At(38)
  private static boolean callBooleanMethod(long env, long object, long method, long arguments) throws Throwable {
    return (boolean) JniMembers.invoke(call(), object(object), method, arguments);
  }

  @At(41)
  private static byte callByteMethod(long env, long object, long method, long arguments) throws Throwable {
    return (byte) JniMembers.invoke(call(), object(object), method, arguments);
  }

  @At(47)
  private static short callShortMethod(long env, long object, long method, long arguments) throws Throwable {
    return (short) JniMembers.invoke(call(), object(object), method, arguments);
  }

  @At(50)
  private static int callIntMethod(long env, long object, long method, long arguments) throws Throwable {
    return (int) JniMembers.invoke(call(), object(object), method, arguments);
  }

  @At(53)
  private static long callLongMethod(long env, long object, long method, long arguments) throws Throwable {
    return (long) JniMembers.invoke(call(), object(object), method, arguments);
  }

  @At(62)
  private static void callVoidMethod(long env, long object, long method, long arguments) throws Throwable {
    JniMembers.invoke(call(), object(object), method, arguments);
  }

  @At(115)
  private static long callStaticObjectMethod(long env, long type, long method, long arguments) throws Throwable {
    return reference(JniMembers.invokeStatic(call(), method, arguments));
  }

  @At(130)
  private static int callStaticIntMethod(long env, long type, long method, long arguments) throws Throwable {
    return (int) JniMembers.invokeStatic(call(), method, arguments);
  }

  // Texts.

  @At(167)
  private static long newStringUTF(long env, long text) {
    return reference(text == 0 ? null : Memory.string(text));
  }

  @At(168)
  private static int getStringUTFLength(long env, long text) {
    return object(text, String.class).getBytes(StandardCharsets.UTF_8).length;
  }

  @At(169)
  private static long getStringUTFChars(long env, long text, long isCopy) {
    byte[] bytes = object(text, String.class).getBytes(StandardCharsets.UTF_8);
    MemorySegment memory = Memory.allocate(bytes.length + 1L);
    MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, 0, bytes.length);
    memory.set(ValueLayout.JAVA_BYTE, bytes.length, (byte) 0);
    return copied(memory, isCopy);
  }

  @At(170)
  private static void releaseStringUTFChars(long env, long text, long memory) {
    Memory.free(memory);
  }

  private static long copied(MemorySegment memory, long isCopy) {
    if (isCopy != 0) {
      Memory.at(isCopy, 1).set(ValueLayout.JAVA_BOOLEAN, 0, true);
    }
    return memory.address();
  }

  // Arrays. Those of numbers are seen as the memory that they are.

  private static MemorySegment elements(long array) {
    return switch (object(array, Object.class)) {
      case byte[] its -> MemorySegment.ofArray(its);
      case int[] its -> MemorySegment.ofArray(its);
      case long[] its -> MemorySegment.ofArray(its);
      case Object its -> throw new UnsupportedOperationException("C asks for the elements of a " + its.getClass().getTypeName());
    };
  }

  @At(171)
  private static int getArrayLength(long env, long array) {
    return Array.getLength(object(array, Object.class));
  }

  @At(172)
  private static long newObjectArray(long env, int length, long type, long initial) {
    Object[] array = (Object[]) Array.newInstance(object(type, Class.class), length);
    if (initial != 0) {
      java.util.Arrays.fill(array, object(initial));
    }
    return reference(array);
  }

  @At(173)
  private static long getObjectArrayElement(long env, long array, int index) {
    return reference(object(array, Object[].class)[index]);
  }

  @At(174)
  private static void setObjectArrayElement(long env, long array, int index, long element) {
    Object[] elements = object(array, Object[].class);
    Object[] roomy = Deadlocks.withRoomFor(index, elements);
    if (roomy != elements) {
      call().replace(array, roomy);
    }
    roomy[index] = object(element);
  }

  @At(176)
  private static long newByteArray(long env, int length) {
    return reference(new byte[length]);
  }

  @At(179)
  private static long newIntArray(long env, int length) {
    return reference(new int[length]);
  }

  @At(180)
  private static long newLongArray(long env, int length) {
    return reference(new long[length]);
  }

  @At(184)
  private static long getByteArrayElements(long env, long array, long isCopy) {
    return copyOf(array, isCopy);
  }

  @At(187)
  private static long getIntArrayElements(long env, long array, long isCopy) {
    return copyOf(array, isCopy);
  }

  @At(188)
  private static long getLongArrayElements(long env, long array, long isCopy) {
    return copyOf(array, isCopy);
  }

  @At(222)
  private static long getPrimitiveArrayCritical(long env, long array, long isCopy) {
    return copyOf(array, isCopy);
  }

  private static long copyOf(long array, long isCopy) {
    MemorySegment elements = elements(array);
    return copied(Memory.allocate(Math.max(1, elements.byteSize())).copyFrom(elements), isCopy);
  }

  @At(192)
  private static void releaseByteArrayElements(long env, long array, long copy, int mode) {
    release(array, copy, mode);
  }

  @At(195)
  private static void releaseIntArrayElements(long env, long array, long copy, int mode) {
    release(array, copy, mode);
  }

  @At(196)
  private static void releaseLongArrayElements(long env, long array, long copy, int mode) {
    release(array, copy, mode);
  }

  @At(223)
  private static void releasePrimitiveArrayCritical(long env, long array, long copy, int mode) {
    release(array, copy, mode);
  }

  private static void release(long array, long copy, int mode) {
    if (mode != ABORT) {
      MemorySegment elements = elements(array);
      Memory.copy(copy, elements.byteSize(), elements);
    }
    if (mode != COMMIT) {
      Memory.free(copy);
    }
  }

  @At(200)
  private static void getByteArrayRegion(long env, long array, int start, int length, long target) {
    MemorySegment region = region(array, start, length, 1);
    Memory.at(target, region.byteSize()).copyFrom(region);
  }

  @At(203)
  private static void getIntArrayRegion(long env, long array, int start, int length, long target) {
    MemorySegment region = region(array, start, length, Integer.BYTES);
    Memory.at(target, region.byteSize()).copyFrom(region);
  }

  @At(204)
  private static void getLongArrayRegion(long env, long array, int start, int length, long target) {
    MemorySegment region = region(array, start, length, Long.BYTES);
    Memory.at(target, region.byteSize()).copyFrom(region);
  }

  @At(208)
  private static void setByteArrayRegion(long env, long array, int start, int length, long source) {
    MemorySegment region = region(array, start, length, 1);
    region.copyFrom(Memory.at(source, region.byteSize()));
  }

  @At(211)
  private static void setIntArrayRegion(long env, long array, int start, int length, long source) {
    MemorySegment region = region(array, start, length, Integer.BYTES);
    region.copyFrom(Memory.at(source, region.byteSize()));
  }

  @At(212)
  private static void setLongArrayRegion(long env, long array, int start, int length, long source) {
    MemorySegment region = region(array, start, length, Long.BYTES);
    region.copyFrom(Memory.at(source, region.byteSize()));
  }

  /** A part of an array; as JNI does, this throws {@link ArrayIndexOutOfBoundsException} if there is no such part. */
  private static MemorySegment region(long array, int start, int length, int width) {
    int size = Array.getLength(object(array, Object.class));
    if (start < 0 || length < 0 || start > size - length) {
      throw new ArrayIndexOutOfBoundsException(
          "[" + start + ", " + start + " + " + length + ") is not in an array of " + size);
    }
    return elements(array).asSlice((long) start * width, (long) length * width);
  }

  // Direct buffers.

  @At(229)
  private static long newDirectByteBuffer(long env, long address, long capacity) {
    return reference(Memory.at(address, capacity).asByteBuffer());
  }

  @At(230)
  private static long getDirectBufferAddress(long env, long buffer) {
    return object(buffer) instanceof ByteBuffer its && its.isDirect()
        ? MemorySegment.ofBuffer(its.duplicate().clear()).address()
        : 0;
  }

  @At(231)
  private static long getDirectBufferCapacity(long env, long buffer) {
    return object(buffer) instanceof ByteBuffer its && its.isDirect() ? its.capacity() : ERROR;
  }
}
