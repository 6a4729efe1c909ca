/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.relinker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.classfile.ClassFile;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.InvokeInstruction;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BoundArgumentsTest {
  private static final String WRITE =
      "public class G { public enum Kind { PUT, DELETE } public static void write(Kind kind, long db, byte[] key,"
          + " int offset, boolean flag) { Log.add(kind + \" \" + db + \" \" + key + \" \" + offset + \" \" + flag); } }";

  @TempDir Path folder;
  private Workshop workshop;

  @BeforeEach
  void open() {
    workshop = new Workshop(folder);
  }

  @Test
  void aRowTellsWhichParametersAndConstantsGlueGets() throws Exception {
    workshop
        .published("""
            class X {
              static native void f(int offset, long db);
              native void g(boolean flag, long db, int offset);
              static void run() { f(5, 7); new X().g(true, 8, 6); }
            }
            """)
        .glue(WRITE)
        .routes("[org.rocksdb.X]\nf (IJ)V glue G.write =PUT 1 =null 0 =true\ng (ZJI)V glue G.write =DELETE 1 =null 2 0");
    workshop.relink();
    assertEquals("PUT 7 null 5 true\nDELETE 8 null 6 true\n", workshop.run("X", "run"));
  }

  @Test
  void constantsArePushedAndTheMethodIsCalledDirectly() throws Exception {
    workshop
        .published("class X { static native void f(long db); }")
        .glue(WRITE)
        .routes("[org.rocksdb.X]\nf (J)V glue G.write =PUT 0 =null =-3 =false");
    workshop.relink();
    var code = ClassFile.of().parse(folder.resolve("output/org/rocksdb/X.class")).methods().stream()
        .filter(method -> method.methodName().equalsString("f"))
        .findFirst()
        .orElseThrow()
        .code()
        .orElseThrow();
    var calls = code.elementStream().filter(InvokeInstruction.class::isInstance).toList();
    assertEquals(1, calls.size());
    assertEquals(Opcode.INVOKESTATIC, ((InvokeInstruction) calls.getFirst()).opcode());
    assertFalse(code.elementStream().anyMatch(element -> element.toString().contains("invokedynamic")));
  }

  @Test
  void theReceiverStandsForItsOwnPointer() throws Exception {
    workshop
        .published("""
            public class X {
              void f(long pointer, int i) {}
              public String toString() { return "an X"; }
              static void run() { new X().f(9, 4); }
            }
            """)
        .glue("public class G { public static void f(org.rocksdb.X x, int i, long n) { Log.add(x + \" \" + i + \" \" + n); } }")
        .routes("[org.rocksdb.X]\nf (JI)V instead G.f this 1 =-2");
    workshop.relink();
    assertEquals("an X 4 -2\n", workshop.run("X", "run"));
  }

  @Test
  void theBuildFailsOnAParameterThatIsLeftOut() {
    assertFails("=PUT 0 =null =0 =false", "(JI)V",
        "test.routes:2: the arguments leave out parameter 1 of org.rocksdb.X.f(JI)V");
  }

  @Test
  void theBuildFailsOnArgumentsThatNoMethodTakes() {
    String message = "test.routes:2: 0 methods G.write take these arguments of org.rocksdb.X.f(J)V";
    assertFails("=MERGE 0 =null =0 =false", "(J)V", message);
    assertFails("=PUT 0 =null =0", "(J)V", message);
    assertFails("=PUT 0 =1 =0 =false", "(J)V", message);
    assertFails("=PUT 0 =null =true =false", "(J)V", message);
    assertFails("=PUT 0 =null 0 =false", "(J)V", message);
    assertFails("=PUT 0 =null 3 =false", "(J)V", message);
    assertFails("this 0 =null =0 =false", "(J)V", message);
  }

  @Test
  void theBuildFailsOnArgumentsThatTwoMethodsTake() {
    workshop
        .published("class X { static native void f(); }")
        .glue("public class G { public static void f(int i) {} public static void f(long i) {} }")
        .routes("[org.rocksdb.X]\nf ()V glue G.f =1");
    assertEquals(
        "test.routes:2: 2 methods G.f take these arguments of org.rocksdb.X.f()V",
        assertThrows(RelinkException.class, workshop::relink).getMessage());
  }

  @Test
  void theBuildFailsOnAnArgumentThatIsNone() {
    assertFails("=PUT 0 x", "(J)V",
        "test.routes:2: an argument is the number of a parameter, 'this' or '=' and a constant, not x");
  }

  private void assertFails(String arguments, String descriptor, String message) {
    String parameters = descriptor.equals("(J)V") ? "long db" : "long db, int i";
    Workshop shop = new Workshop(folder.resolve(Integer.toHexString(arguments.hashCode())))
        .published("class X { static native void f(" + parameters + "); }")
        .glue(WRITE)
        .routes("[org.rocksdb.X]\nf " + descriptor + " glue G.write " + arguments);
    assertEquals(message, assertThrows(RelinkException.class, shop::relink).getMessage());
  }
}
