/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.jni;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.rocksdbffm.internal.foreign.Memory;

/** The functions of a {@code JNIEnv} that RocksDB's JNI code uses. {@link JniCall} stores their exceptions. */
public final class JniFunctions {
  /** The number of functions in JNI's table. */
  private static final int COUNT = 236;

  /** One environment for all threads. */
  static final long ENVIRONMENT = JniTable.of(JniFunctions::answer, COUNT);

  private static final int COMMIT = 1;
  private static final int ABORT = 2;
  private static final int ERROR = -1;

  private static final long TRUE = 1;
  private static final long FALSE = 0;
  private static final long NOTHING = 0;

  private JniFunctions() {}

  /** Calls a function by its index in JNI's table. */
  private static long answer(int place, long a, long b, long c, long d) throws Throwable {
    return switch (place) {
      case 6 -> findClass(a);
      case 13 -> throwObject(a);
      case 14 -> throwNew(a, b);
      case 15 -> exceptionOccurred();
      case 21 -> newGlobalRef(a);
      case 26 -> ensureLocalCapacity((int) a);
      case 29 -> newObject(a, b, c);
      case 31 -> getObjectClass(a);
      case 32 -> isInstanceOf(a, b) ? TRUE : FALSE;
      case 33 -> getMethodID(a, b, c);
      case 35 -> callObjectMethod(a, b, c);
      case 38 -> callBooleanMethod(a, b, c) ? TRUE : FALSE;
      case 41 -> callByteMethod(a, b, c);
      case 47 -> callShortMethod(a, b, c);
      case 50 -> callIntMethod(a, b, c);
      case 53 -> callLongMethod(a, b, c);
      case 94 -> getFieldID(a, b, c);
      case 95 -> getObjectField(a, b);
      case 113 -> getStaticMethodID(a, b, c);
      case 115 -> callStaticObjectMethod(a, b, c);
      case 130 -> callStaticIntMethod(a, b, c);
      case 144 -> getStaticFieldID(a, b, c);
      case 145 -> getStaticObjectField(a, b);
      case 167 -> newStringUTF(a);
      case 168 -> getStringUTFLength(a);
      case 169 -> getStringUTFChars(a, b);
      case 171 -> getArrayLength(a);
      case 172 -> newObjectArray((int) a, b, c);
      case 173 -> getObjectArrayElement(a, (int) b);
      case 176 -> newByteArray((int) a);
      case 179 -> newIntArray((int) a);
      case 180 -> newLongArray((int) a);
      case 184 -> getByteArrayElements(a, b);
      case 187 -> getIntArrayElements(a, b);
      case 188 -> getLongArrayElements(a, b);
      case 219 -> getJavaVM(a);
      case 222 -> getPrimitiveArrayCritical(a, b);
      case 228 -> exceptionCheck() ? TRUE : FALSE;
      case 229 -> newDirectByteBuffer(a, b);
      case 230 -> getDirectBufferAddress(a);
      case 231 -> getDirectBufferCapacity(a);
      default -> {
        act(place, a, b, c, d);
        yield NOTHING;
      }
    };
  }

  /** Calls a JNI function that returns nothing. */
  private static void act(int place, long a, long b, long c, long d) throws Throwable {
    switch (place) {
      case 16 -> exceptionDescribe();
      case 17 -> exceptionClear();
      case 22 -> deleteGlobalRef(a);
      case 23 -> deleteLocalRef(a);
      case 62 -> callVoidMethod(a, b, c);
      case 170 -> releaseStringUTFChars(a, b);
      case 174 -> setObjectArrayElement(a, (int) b, c);
      case 192 -> releaseByteArrayElements(a, b, (int) c);
      case 195 -> releaseIntArrayElements(a, b, (int) c);
      case 196 -> releaseLongArrayElements(a, b, (int) c);
      case 200 -> getByteArrayRegion(a, (int) b, (int) c, d);
      case 203 -> getIntArrayRegion(a, (int) b, (int) c, d);
      case 204 -> getLongArrayRegion(a, (int) b, (int) c, d);
      case 208 -> setByteArrayRegion(a, (int) b, (int) c, d);
      case 211 -> setIntArrayRegion(a, (int) b, (int) c, d);
      case 212 -> setLongArrayRegion(a, (int) b, (int) c, d);
      case 223 -> releasePrimitiveArrayCritical(a, b, (int) c);
      default -> throw call().unsupported();
    }
  }

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

  private static long findClass(long name) throws ClassNotFoundException {
    return reference(classNamed(Memory.string(name).replace('/', '.')));
  }

  /** Returns the class with a name, from this class's loader. */
  static Class<?> classNamed(String name) throws ClassNotFoundException {
    return Class.forName(name, true, JniFunctions.class.getClassLoader());
  }

  private static void deleteLocalRef(long reference) {
    call().forget(reference);
  }

  private static int ensureLocalCapacity(int count) {
    return 0;
  }

  private static long newObject(long type, long constructor, long arguments) throws Throwable {
    return reference(JniMembers.invokeStatic(call(), constructor, arguments));
  }

  private static long getObjectClass(long object) {
    return reference(object(object, Object.class).getClass());
  }

  private static boolean isInstanceOf(long object, long type) {
    return object == 0 || object(type, Class.class).isInstance(object(object));
  }

  private static long newGlobalRef(long reference) {
    return JniCall.global(object(reference));
  }

  private static void deleteGlobalRef(long reference) {
    JniCall.forgetGlobal(reference);
  }

  private static int getJavaVM(long result) {
    Memory.at(result, Long.BYTES).set(ValueLayout.JAVA_LONG, 0, JniMachine.MACHINE);
    return 0;
  }

  // Exceptions.

  private static int throwObject(long throwable) {
    call().fail(object(throwable, Throwable.class));
    return 0;
  }

  private static int throwNew(long type, long message) throws Throwable {
    Class<?> thrown = object(type, Class.class);
    MethodHandle constructor =
        MethodHandles.publicLookup().findConstructor(thrown, MethodType.methodType(void.class, String.class));
    call().fail((Throwable) constructor.invoke(message == 0 ? null : Memory.string(message)));
    return 0;
  }

  private static long exceptionOccurred() {
    return reference(call().pending());
  }

  private static void exceptionDescribe() {
    call().describePending();
  }

  private static void exceptionClear() {
    call().clearPending();
  }

  private static boolean exceptionCheck() {
    return call().pending() != null;
  }

  // Methods and fields.

  private static long getMethodID(long type, long name, long descriptor)
      throws ReflectiveOperationException {
    return JniMembers.method(object(type, Class.class), Memory.string(name), Memory.string(descriptor));
  }

  private static long getStaticMethodID(long type, long name, long descriptor)
      throws ReflectiveOperationException {
    return JniMembers.staticMethod(object(type, Class.class), Memory.string(name), Memory.string(descriptor));
  }

  private static long getFieldID(long type, long name, long descriptor)
      throws ReflectiveOperationException {
    return JniMembers.field(object(type, Class.class), Memory.string(name), Memory.string(descriptor));
  }

  private static long getStaticFieldID(long type, long name, long descriptor)
      throws ReflectiveOperationException {
    return JniMembers.staticField(object(type, Class.class), Memory.string(name), Memory.string(descriptor));
  }

  private static long getObjectField(long object, long field) throws Throwable {
    return reference(JniMembers.readField(object(object), field));
  }

  private static long getStaticObjectField(long type, long field) throws Throwable {
    return reference(JniMembers.readStaticField(field));
  }

  private static long callObjectMethod(long object, long method, long arguments) throws Throwable {
    return reference(JniMembers.invoke(call(), object(object), method, arguments));
  }

  private static boolean callBooleanMethod(long object, long method, long arguments) throws Throwable {
    return (boolean) Called.answer(call(), object(object), method, arguments);
  }

  private static byte callByteMethod(long object, long method, long arguments) throws Throwable {
    return (byte) JniMembers.invoke(call(), object(object), method, arguments);
  }

  private static short callShortMethod(long object, long method, long arguments) throws Throwable {
    return (short) Called.answer(call(), object(object), method, arguments);
  }

  private static int callIntMethod(long object, long method, long arguments) throws Throwable {
    return (int) JniMembers.invoke(call(), object(object), method, arguments);
  }

  private static long callLongMethod(long object, long method, long arguments) throws Throwable {
    return (long) Called.answer(call(), object(object), method, arguments);
  }

  private static void callVoidMethod(long object, long method, long arguments) throws Throwable {
    Called.answer(call(), object(object), method, arguments);
  }

  private static long callStaticObjectMethod(long type, long method, long arguments) throws Throwable {
    return reference(JniMembers.invokeStatic(call(), method, arguments));
  }

  private static int callStaticIntMethod(long type, long method, long arguments) throws Throwable {
    return (int) JniMembers.invokeStatic(call(), method, arguments);
  }

  // Texts.

  private static long newStringUTF(long text) {
    return reference(text == 0 ? null : Memory.string(text));
  }

  private static int getStringUTFLength(long text) {
    return object(text, String.class).getBytes(StandardCharsets.UTF_8).length;
  }

  private static long getStringUTFChars(long text, long isCopy) {
    byte[] bytes = object(text, String.class).getBytes(StandardCharsets.UTF_8);
    MemorySegment memory = Memory.allocate(bytes.length + 1L);
    MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, 0, bytes.length);
    memory.set(ValueLayout.JAVA_BYTE, bytes.length, (byte) 0);
    return copied(memory, isCopy);
  }

  private static void releaseStringUTFChars(long text, long memory) {
    Memory.free(memory);
  }

  private static long copied(MemorySegment memory, long isCopy) {
    if (isCopy != 0) {
      Memory.at(isCopy, 1).set(ValueLayout.JAVA_BOOLEAN, 0, true);
    }
    return memory.address();
  }

  // Arrays. Arrays of numbers are accessed as memory segments.

  private static MemorySegment elements(long array) {
    return switch (object(array, Object.class)) {
      case byte[] bytes -> MemorySegment.ofArray(bytes);
      case int[] ints -> MemorySegment.ofArray(ints);
      case long[] longs -> MemorySegment.ofArray(longs);
      case Object other ->
          throw new UnsupportedOperationException("C asks for the elements of a " + other.getClass().getTypeName());
    };
  }

  private static int getArrayLength(long array) {
    return Array.getLength(object(array, Object.class));
  }

  private static long newObjectArray(int length, long type, long initial) {
    Object[] array = (Object[]) Array.newInstance(object(type, Class.class), length);
    if (initial != 0) {
      java.util.Arrays.fill(array, object(initial));
    }
    return reference(array);
  }

  private static long getObjectArrayElement(long array, int index) {
    return reference(object(array, Object[].class)[index]);
  }

  private static void setObjectArrayElement(long array, int index, long element) {
    Object[] elements = object(array, Object[].class);
    Object[] roomy = Deadlocks.withRoomFor(index, elements);
    if (roomy != elements) {
      call().replace(array, roomy);
    }
    roomy[index] = object(element);
  }

  private static long newByteArray(int length) {
    return reference(new byte[length]);
  }

  private static long newIntArray(int length) {
    return reference(new int[length]);
  }

  private static long newLongArray(int length) {
    return reference(new long[length]);
  }

  private static long getByteArrayElements(long array, long isCopy) {
    return copyOf(array, isCopy);
  }

  private static long getIntArrayElements(long array, long isCopy) {
    return copyOf(array, isCopy);
  }

  private static long getLongArrayElements(long array, long isCopy) {
    return copyOf(array, isCopy);
  }

  private static long getPrimitiveArrayCritical(long array, long isCopy) {
    return copyOf(array, isCopy);
  }

  private static long copyOf(long array, long isCopy) {
    MemorySegment elements = elements(array);
    return copied(Memory.allocate(Math.max(1, elements.byteSize())).copyFrom(elements), isCopy);
  }

  private static void releaseByteArrayElements(long array, long copy, int mode) {
    release(array, copy, mode);
  }

  private static void releaseIntArrayElements(long array, long copy, int mode) {
    release(array, copy, mode);
  }

  private static void releaseLongArrayElements(long array, long copy, int mode) {
    release(array, copy, mode);
  }

  private static void releasePrimitiveArrayCritical(long array, long copy, int mode) {
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

  private static void getByteArrayRegion(long array, int start, int length, long target) {
    MemorySegment region = region(array, start, length, 1);
    Memory.at(target, region.byteSize()).copyFrom(region);
  }

  private static void getIntArrayRegion(long array, int start, int length, long target) {
    MemorySegment region = region(array, start, length, Integer.BYTES);
    Memory.at(target, region.byteSize()).copyFrom(region);
  }

  private static void getLongArrayRegion(long array, int start, int length, long target) {
    MemorySegment region = region(array, start, length, Long.BYTES);
    Memory.at(target, region.byteSize()).copyFrom(region);
  }

  private static void setByteArrayRegion(long array, int start, int length, long source) {
    MemorySegment region = region(array, start, length, 1);
    region.copyFrom(Memory.at(source, region.byteSize()));
  }

  private static void setIntArrayRegion(long array, int start, int length, long source) {
    MemorySegment region = region(array, start, length, Integer.BYTES);
    region.copyFrom(Memory.at(source, region.byteSize()));
  }

  private static void setLongArrayRegion(long array, int start, int length, long source) {
    MemorySegment region = region(array, start, length, Long.BYTES);
    region.copyFrom(Memory.at(source, region.byteSize()));
  }

  /** Returns a part of an array. Like JNI, throws {@link ArrayIndexOutOfBoundsException} if it exceeds the array. */
  private static MemorySegment region(long array, int start, int length, int width) {
    int size = Array.getLength(object(array, Object.class));
    if (start < 0 || length < 0 || start > size - length) {
      throw new ArrayIndexOutOfBoundsException(
          "[" + start + ", " + start + " + " + length + ") is not in an array of " + size);
    }
    return elements(array).asSlice((long) start * width, (long) length * width);
  }

  // Direct buffers.

  private static long newDirectByteBuffer(long address, long capacity) {
    return reference(Memory.at(address, capacity).asByteBuffer());
  }

  private static long getDirectBufferAddress(long buffer) {
    return object(buffer) instanceof ByteBuffer bytes && bytes.isDirect()
        ? MemorySegment.ofBuffer(bytes.duplicate().clear()).address()
        : 0;
  }

  private static long getDirectBufferCapacity(long buffer) {
    return object(buffer) instanceof ByteBuffer bytes && bytes.isDirect() ? bytes.capacity() : ERROR;
  }
}
