/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.dropin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.tools.ChildJvm;

/** Tests the allocator of {@code ./torture --guarded}. */
@EnabledOnOs(OS.LINUX)
class GuardTest {
  @TempDir Path folder;

  @Test
  void aReadOfFreedMemoryEndsTheProcess() throws Exception {
    assertRefused(run("freed"));
  }

  @Test
  void aReadPastTheEndOfABlockEndsTheProcess() throws Exception {
    assertRefused(run("past"));
  }

  @Test
  void memoryInUseIsRead() throws Exception {
    assertTrue(run("used").contains("fine"));
  }

  private static void assertRefused(String output) {
    assertTrue(output.contains("SIGSEGV"), output);
  }

  private String run(String what) throws IOException, InterruptedException {
    Path guard = folder.resolve("guard.so");
    Process compiler =
        new ProcessBuilder("cc", "-O2", "-shared", "-fPIC", "-o", guard.toString(), "src/main/c/guard.c")
            .inheritIO()
            .start();
    assertEquals(0, compiler.waitFor());
    ChildJvm.Finished finished =
        ChildJvm.of(Reader.class)
            .with("-XX:-CreateCoredumpOnCrash", "-XX:+UseSerialGC")
            .configured(builder -> builder.environment().put("LD_PRELOAD", guard.toString()))
            .run(what, guard.toString());
    return finished.exitCode() + "\n" + finished.output() + finished.crashReport();
  }

  static final class Reader {
    public static void main(String[] arguments) throws Throwable {
      Linker linker = Linker.nativeLinker();
      SymbolLookup guard = SymbolLookup.libraryLookup(arguments[1], Arena.global()); // the default lookup finds libc's
      var malloc =
          linker.downcallHandle(
              guard.findOrThrow("malloc"),
              FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.JAVA_LONG));
      var free =
          linker.downcallHandle(guard.findOrThrow("free"), FunctionDescriptor.ofVoid(ValueLayout.ADDRESS));
      MemorySegment block = ((MemorySegment) malloc.invokeExact(16L)).reinterpret(Long.MAX_VALUE);
      if (arguments[0].equals("freed")) {
        free.invokeExact(block);
      }
      block.get(ValueLayout.JAVA_BYTE, arguments[0].equals("past") ? 16 : 0);
      System.out.println("fine");
    }
  }
}
