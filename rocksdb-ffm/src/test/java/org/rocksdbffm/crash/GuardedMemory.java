/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.crash;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Memory between two inaccessible pages: an access to one byte before or after it ends the process. */
final class GuardedMemory implements AutoCloseable {
  static final int PAGE = 4096;
  private static final int PROT_NONE = 0;
  private static final int PROT_READ_WRITE = 3;
  private static final int MAP_PRIVATE_ANONYMOUS = System.getProperty("os.name").equals("Linux") ? 0x22 : 0x1002;

  private static final MethodHandle MMAP =
      function("mmap", FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
  private static final MethodHandle MPROTECT =
      function("mprotect", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
  private static final MethodHandle MUNMAP = function("munmap", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG));

  private final MemorySegment all;
  private final MemorySegment usable;

  /** Allocates memory for a number of bytes. */
  GuardedMemory(long size) {
    long pages = Math.max(1, (size + PAGE - 1) / PAGE) * PAGE;
    long mapped = pages + 2 * PAGE;
    MemorySegment address =
        (MemorySegment) call(MMAP, MemorySegment.NULL, mapped, PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS, -1, 0L);
    if (address.address() == -1) {
      throw new OutOfMemoryError("no memory to guard");
    }
    all = address.reinterpret(mapped);
    protect(all.asSlice(0, PAGE));
    protect(all.asSlice(mapped - PAGE));
    usable = all.asSlice(PAGE, pages);
  }

  private static MethodHandle function(String name, FunctionDescriptor type) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type);
  }

  private static Object call(MethodHandle function, Object... arguments) {
    try {
      return function.invokeWithArguments(arguments);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  private static void protect(MemorySegment page) {
    if ((int) call(MPROTECT, page, page.byteSize(), PROT_NONE) != 0) {
      throw new AssertionError("a page cannot be guarded");
    }
  }

  /** Copies bytes to the end of the memory, directly before the guard page. */
  MemorySegment atEnd(byte[] bytes) {
    return usable.asSlice(usable.byteSize() - bytes.length).copyFrom(MemorySegment.ofArray(bytes));
  }

  /** Copies bytes to the start of the memory, directly after the guard page. */
  MemorySegment atStart(byte[] bytes) {
    return usable.asSlice(0, bytes.length).copyFrom(MemorySegment.ofArray(bytes));
  }

  @Override
  public void close() {
    call(MUNMAP, all, all.byteSize());
  }
}
