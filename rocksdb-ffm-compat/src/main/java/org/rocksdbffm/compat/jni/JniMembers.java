/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.jni;

import java.lang.foreign.Arena;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.ConcurrentHashMap;
import org.rocksdb.RocksCallbackObject;
import org.rocksdbffm.compat.lifetime.CallbackLoans;
import org.rocksdbffm.internal.foreign.Memory;

/**
 * Constructors, methods and fields by JNI ID. RocksDB's JNI code caches IDs in static variables, which all class
 * loaders in the process share, so an ID from one loader's class arrives at another loader. So an ID is the address of
 * text that describes the member and is never freed. Each class loader finds the member in its classes by the text.
 */
final class JniMembers {
  private static final ConcurrentHashMap<Member, Long> IDS = new ConcurrentHashMap<>();
  private static final ConcurrentHashMap<Long, Accessible> MEMBERS = new ConcurrentHashMap<>();

  private JniMembers() {}

  private enum Kind {
    METHOD,
    STATIC_METHOD,
    FIELD,
    STATIC_FIELD
  }

  private record Member(Class<?> owner, String name, String descriptor, Kind kind) {
    private static final String SEPARATOR = " ";

    /** Parses the text that {@link #text} returns; the class is this class loader's class with that name. */
    static Member of(String text) throws ClassNotFoundException {
      String[] words = text.split(SEPARATOR);
      return new Member(JniFunctions.classNamed(words[1]), words[2], words[3], Kind.valueOf(words[0]));
    }

    String text() {
      return String.join(SEPARATOR, kind.name(), owner.getName(), name, descriptor);
    }
  }

  /** A member's handle, and the argument types without a receiver. */
  private record Accessible(MethodHandle handle, MethodType arguments) {}

  static long method(Class<?> owner, String name, String descriptor) throws ReflectiveOperationException {
    return id(new Member(owner, name, descriptor, Kind.METHOD));
  }

  static long staticMethod(Class<?> owner, String name, String descriptor) throws ReflectiveOperationException {
    return id(new Member(owner, name, descriptor, Kind.STATIC_METHOD));
  }

  static long field(Class<?> owner, String name, String descriptor) throws ReflectiveOperationException {
    return id(new Member(owner, name, descriptor, Kind.FIELD));
  }

  static long staticField(Class<?> owner, String name, String descriptor) throws ReflectiveOperationException {
    return id(new Member(owner, name, descriptor, Kind.STATIC_FIELD));
  }

  private static long id(Member member) throws ReflectiveOperationException {
    Long known = IDS.get(member);
    if (known != null) {
      return known;
    }
    Accessible found = find(member);
    long id = intern(member.text());
    MEMBERS.put(id, found);
    IDS.put(member, id);
    return id;
  }

  private static long intern(String text) {
    try (Arena arena = Arena.ofConfined()) {
      long interned = rocksdb_ffm_intern(Memory.string(text, arena).address());
      if (interned == 0) {
        throw new OutOfMemoryError("no native memory for the name of a method");
      }
      return interned;
    }
  }

  private static Accessible member(long id) throws ReflectiveOperationException {
    Accessible known = MEMBERS.get(id);
    return known != null ? known : lookUp(id);
  }

  /** Finds a member whose ID another class loader created. */
  private static Accessible lookUp(long id) throws ReflectiveOperationException {
    Accessible found = find(Member.of(Memory.string(id)));
    MEMBERS.put(id, found);
    return found;
  }

  private static Accessible find(Member member) throws ReflectiveOperationException {
    Class<?> owner = member.owner;
    ClassLoader loader = JniMembers.class.getClassLoader();
    // JNI code reads private members of RocksDB's classes, but only public members of the JDK's.
    MethodHandles.Lookup lookup =
        owner.getPackageName().startsWith("java.")
            ? MethodHandles.publicLookup()
            : MethodHandles.privateLookupIn(owner, MethodHandles.lookup());
    if (member.kind == Kind.FIELD || member.kind == Kind.STATIC_FIELD) {
      Class<?> type = MethodType.fromMethodDescriptorString("()" + member.descriptor, loader).returnType();
      MethodHandle getter =
          member.kind == Kind.FIELD
              ? lookup.findGetter(owner, member.name, type)
              : lookup.findStaticGetter(owner, member.name, type);
      return new Accessible(spread(getter), MethodType.methodType(type));
    }
    MethodHandle meant = Deadlocks.meantBy(owner, member.name);
    if (meant != null) {
      int receivers = member.name.equals("<init>") ? 0 : 1;
      return new Accessible(spread(meant), meant.type().dropParameterTypes(0, receivers));
    }
    MethodType type = MethodType.fromMethodDescriptorString(member.descriptor, loader);
    MethodHandle handle;
    if (member.kind == Kind.STATIC_METHOD) {
      handle = lookup.findStatic(owner, member.name, type);
    } else if (member.name.equals("<init>")) {
      handle = lookup.findConstructor(owner, type);
    } else {
      handle = lookup.findVirtual(owner, member.name, type);
    }
    return new Accessible(spread(handle), type);
  }

  private static MethodHandle spread(MethodHandle handle) {
    return handle
        .asFixedArity()
        .asSpreader(Object[].class, handle.type().parameterCount())
        .asType(MethodType.methodType(Object.class, Object[].class));
  }

  /** Invokes a static method or a constructor with the arguments in a {@code va_list}. */
  static Object invokeStatic(JniCall call, long id, long list) throws Throwable {
    return invoke(call, member(id), new Object[0], list);
  }

  static Object invoke(JniCall call, Object receiver, long id, long list) throws Throwable {
    java.util.Objects.requireNonNull(receiver, "C calls a method of null");
    return invoke(call, member(id), new Object[] {receiver}, list);
  }

  /** Invokes a callback's method, and then closes the objects that were created only for it. */
  static Object callBack(JniCall call, Object receiver, long id, long list) throws Throwable {
    if (!(receiver instanceof RocksCallbackObject)) {
      return invoke(call, receiver, id, list);
    }
    Accessible member = member(id);
    Object[] all = arguments(call, member, new Object[] {receiver}, list);
    try {
      return (Object) member.handle.invokeExact(all);
    } finally {
      for (int i = 1; i < all.length; i++) {
        CallbackLoans.end(CallbackLoans.lend(all[i], null));
      }
    }
  }

  private static Object invoke(JniCall call, Accessible member, Object[] first, long list) throws Throwable {
    return (Object) member.handle.invokeExact(arguments(call, member, first, list));
  }

  private static Object[] arguments(JniCall call, Accessible member, Object[] first, long list) {
    JniArguments arguments = JniArguments.at(list);
    Object[] all = java.util.Arrays.copyOf(first, first.length + member.arguments.parameterCount());
    for (int i = first.length; i < all.length; i++) {
      all[i] = argument(call, member.arguments.parameterType(i - first.length), arguments);
    }
    return all;
  }

  private static Object argument(JniCall call, Class<?> type, JniArguments arguments) {
    if (type == double.class) {
      return arguments.nextDouble();
    }
    if (type == float.class) {
      return (float) arguments.nextDouble(); // C promotes float to double
    }
    return call.value(type, arguments.nextWord());
  }

  static Object readField(Object receiver, long id) throws Throwable {
    java.util.Objects.requireNonNull(receiver, "C reads a field of null");
    return (Object) member(id).handle.invokeExact(new Object[] {receiver});
  }

  static Object readStaticField(long id) throws Throwable {
    return (Object) member(id).handle.invokeExact(new Object[0]);
  }

  private static native long rocksdb_ffm_intern(long text);
}
