/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.relinker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RelinkerTest {
  @TempDir Path folder;
  private Workshop workshop;

  @BeforeEach
  void open() {
    workshop = new Workshop(folder);
  }

  @Test
  void aNumberGetterCallsItsCFunctionAndIsLinkedWhenCalled() throws Exception {
    workshop
        .published("class X { static native int f(long x, boolean y); static void run() { f(7, true); f(8, false); } }")
        .routes("[org.rocksdb.X]\nf (JZ)I c rocksdb_f")
        .cApi("rocksdb_f int rocksdb_options_t* uchar");
    workshop.relink();
    assertEquals(
        """
        linked c rocksdb_f(JJJJJJ)J
        called c rocksdb_f[7, 1, 0, 0, 0, 0]
        called c rocksdb_f[8, 0, 0, 0, 0, 0]
        """,
        workshop.run("X", "run"));
  }

  @Test
  void numbersArePassedAsWideAsInC() throws Exception {
    workshop
        .published("""
            class X {
              static native long f(long p, int size, long number, boolean yes);
              static void run() { if (f(1, -2, 1L << 32 | 5, true) != 0xFFFFFFFFL) throw new AssertionError(); }
            }
            """)
        .routes("[org.rocksdb.X]\nf (JIJZ)J c rocksdb_f")
        .cApi("rocksdb_f uint32_t rocksdb_options_t* size_t int int");
    workshop.relink();
    assertTrue(workshop.run("X", "run").endsWith("called c rocksdb_f[1, -2, 5, 1, 0, 0]\n"));
  }

  @Test
  void aResultIsAsWideAsItIsInC() throws Exception {
    workshop
        .published("""
            class X {
              static native byte b(long p);
              static native short s(long p);
              static native char c(long p);
              static native boolean z(long p);
              static void run() {
                if (b(1) != -1 || s(1) != -1 || c(1) != 0xFFFF || !z(1)) throw new AssertionError();
              }
            }
            """)
        .routes("[org.rocksdb.X]\nb (J)B jni\ns (J)S jni\nc (J)C jni\nz (J)Z jni");
    workshop.relink();
    assertTrue(workshop.run("X", "run").endsWith("called c Java_org_rocksdb_X_z[0, 0, 1, 0, 0, 0]\n"));
  }

  @Test
  void whatTakesANumberWithAPointOrTooMuchForRegistersIsCalledByItsOwnType() throws Exception {
    workshop
        .published("""
            class X {
              static native double f(long p, double d, int i);
              static native int g(long a, long b, long c, long d, long e, long f, int g);
              static void run() { f(1, 2.5, 3); g(1, 2, 3, 4, 5, 6, 7); }
            }
            """)
        .routes("[org.rocksdb.X]\nf (JDI)D jni\ng (JJJJJJI)I jni");
    workshop.relink();
    assertEquals(
        """
        linked c Java_org_rocksdb_X_f(JJJDI)D
        called c Java_org_rocksdb_X_f[0, 0, 1, 2.5, 3]
        linked c Java_org_rocksdb_X_g(JJJJJJJJI)I
        called c Java_org_rocksdb_X_g[0, 0, 1, 2, 3, 4, 5, 6, 7]
        """,
        workshop.run("X", "run"));
  }

  @Test
  void aPointerIsWrappedATextIsCopiedAndAnErrorIsChecked() throws Exception {
    workshop
        .published(
            "class X { static native void f(long o, String name, long db); static void run() { f(7, \"abc\", 8); } }")
        .routes("[org.rocksdb.X]\nf (JLjava/lang/String;J)V c rocksdb_f 2 0 1")
        .cApi("rocksdb_f void rocksdb_t* rocksdb_options_t* char* char**");
    workshop.relink();
    assertEquals(
        """
        enter
        linked c rocksdb_f(JJJJJJ)J
        called c rocksdb_f[8, 7, 3, 99, 0, 0]
        check
        leave
        """,
        workshop.run("X", "run"));
  }

  @Test
  void anEntryPointIsCalledByItsLongNameIfOverloaded() throws Exception {
    workshop
        .published("""
            class X {
              static native void f(long a);
              static native void f(long a, byte b);
              native void g();
              static void run() { f(1); f(2, (byte) 3); new X().g(); }
            }
            """)
        .routes("[org.rocksdb.X]\nf (J)V jni\nf (JB)V jni\ng ()V jni");
    workshop.relink();
    assertEquals(
        """
        linked c Java_org_rocksdb_X_f__J(JJJJJJ)J
        called c Java_org_rocksdb_X_f__J[0, 0, 1, 0, 0, 0]
        linked c Java_org_rocksdb_X_f__JB(JJJJJJ)J
        called c Java_org_rocksdb_X_f__JB[0, 0, 2, 3, 0, 0]
        linked c Java_org_rocksdb_X_g(JJJJJJ)J
        called c Java_org_rocksdb_X_g[0, 0, 0, 0, 0, 0]
        """,
        workshop.run("X", "run"));
  }

  @Test
  void glueGetsTheParametersAndTheReceiverIfItWants() throws Exception {
    workshop
        .published("public class X { native String f(byte[] b); static void run() { new X().f(new byte[3]); } }")
        .glue(
            "public class G { public static String f(org.rocksdb.X x, byte[] b) { Log.add(b.length); return null; } }")
        .routes("[org.rocksdb.X]\nf ([B)Ljava/lang/String; glue G.f");
    workshop.relink();
    assertEquals("3\n", workshop.run("X", "run"));
  }

  @Test
  void glueDeclaresCFunctionsAsNativeMethods() throws Exception {
    workshop
        .published("class X { static native void f(); static void run() { f(); } }")
        .glue(
            "public class G { public static void f() { rocksdb_f(5); } private static native int rocksdb_f(long p); }")
        .routes("[org.rocksdb.X]\nf ()V glue G.f")
        .cApi("rocksdb_f int rocksdb_t*");
    workshop.relink();
    assertEquals("found c rocksdb_f\ncalled c rocksdb_f[5, 0, 0, 0, 0, 0]\n", workshop.run("X", "run"));
  }

  @Test
  void glueReachesHiddenFieldsAndMethodsByNativeMethodsWithTheirNames() throws Exception {
    workshop
        .published("""
            public class X {
              private int count = 5;
              private static String word = "said";
              private boolean isMore(long number) { return number > count; }
              static native void f(X x);
              static void run() { f(new X()); }
            }
            """)
        .glue("""
            public class G {
              public static void f(org.rocksdb.X x) {
                count$(x, count$(x) + 1);
                Log.add(count$(x) + " " + word$(null) + " " + isMore$(x, 6) + " " + isMore$(x, 7));
              }
              private static native int count$(org.rocksdb.X x);
              private static native void count$(org.rocksdb.X x, int count);
              private static native String word$(org.rocksdb.X none);
              private static native boolean isMore$(org.rocksdb.X x, long number);
            }
            """)
        .routes("[org.rocksdb.X]\nf (Lorg/rocksdb/X;)V glue G.f");
    workshop.relink();
    workshop.relinkAgain(); // a build that compiles no glue, as nothing has changed
    assertEquals("6 said false true\n", workshop.run("X", "run"));
  }

  @Test
  void theBuildFailsOnAHiddenMemberThatIsNotThere() {
    workshop
        .published("public class X { static native void f(X x); }")
        .glue("""
            public class G {
              public static void f(org.rocksdb.X x) { gone$(x); }
              private static native void gone$(org.rocksdb.X x);
            }
            """)
        .routes("[org.rocksdb.X]\nf (Lorg/rocksdb/X;)V glue G.f");
    String message = assertThrows(RelinkException.class, workshop::relink).getMessage();
    assertEquals("org/rocksdb/X has no member gone for the glue's gone$", message.lines().findFirst().orElseThrow());
  }

  @Test
  void whatIsNotThereSaysWhichMethodAndWhy() throws Exception {
    workshop
        .published("""
            class X {
              static native void f();
              static void run() {
                try { f(); } catch (UnsupportedOperationException e) {
                  org.rocksdbffm.compat.Log.add(e.getMessage());
                }
              }
            }
            """.replace("org.rocksdbffm.compat.Log.add(e.getMessage())", "g(e.getMessage())")
            .replace("static void run", "static native void g(String s); static void run"))
        .glue("public class G { public static void g(String s) { Log.add(s); } }")
        .routes(
            "[org.rocksdb.X]\nf ()V none   the engine has no such thing # really\ng (Ljava/lang/String;)V glue G.g");
    workshop.relink();
    assertEquals(
        "org.rocksdb.X.f is not there in the drop-in: the engine has no such thing\n", workshop.run("X", "run"));
  }

  @Test
  void theBuildFailsOnALifetimeOfNoMethod() {
    workshop.published("class X { }").lifetimes("child org.rocksdb.X <init> (J)V");
    assertFails("lifetimes: there is no org.rocksdb.X.<init>(J)V");
  }

  @Test
  void theBuildFailsOnALifetimeThatIsNoRow() {
    workshop.published("class X { }").lifetimes("adores org.rocksdb.X <init> ()V");
    assertFails("in lifetimes.txt this is no row: adores org.rocksdb.X <init> ()V");
  }

  @Test
  void theBuildFailsOnANativeWithoutARow() {
    workshop.published("class X { static native void f(); }");
    assertFails("no row routes org.rocksdb.X.f()V");
  }

  @Test
  void theBuildNamesEveryErrorAndNotTheFirstAlone() {
    workshop
        .published("class X { static native void f(); static native void g(); }")
        .routes("[org.rocksdb.X]\nh ()V jni");
    assertFails(
        "no row routes org.rocksdb.X.f()V\n  no row routes org.rocksdb.X.g()V\n  test.routes:2: there is no native "
        + "method"
            + " org.rocksdb.X.h()V");
  }

  @Test
  void theBuildFailsOnARowWithoutANative() {
    workshop.published("class X { }").routes("[org.rocksdb.X]\nf ()V jni");
    assertFails("test.routes:2: there is no native method org.rocksdb.X.f()V");
  }

  @Test
  void theBuildFailsOnGlueThatNothingLinks() {
    workshop
        .published("class X { static native void f(); }")
        .glue("public class G { public static void f() {} public static void g() {} }")
        .routes("[org.rocksdb.X]\nf ()V glue G.f");
    assertFails("no row links the glue G.g()V");
  }

  @Test
  void theBuildFailsOnGlueOfAnotherType() {
    workshop
        .published("class X { static native void f(long a); }")
        .glue("public class G { public static void f(int a) {} }")
        .routes("[org.rocksdb.X]\nf (J)V glue G.f");
    assertFails("test.routes:2: G has no static method f(J)V");
  }

  @Test
  void theBuildFailsOnTwoRowsForOneMethod() {
    workshop.published("class X { static native void f(); }").routes("[org.rocksdb.X]\nf ()V jni\nf ()V jni");
    assertFails("test.routes:3: org.rocksdb.X.f()V has a row at test.routes:2 already");
  }

  @Test
  void theBuildFailsOnACFunctionThatTakesSomethingElse() {
    workshop
        .published("class X { static native void f(long a); }")
        .routes("[org.rocksdb.X]\nf (J)V c rocksdb_f")
        .cApi("rocksdb_f void rocksdb_t* int");
    assertFails("test.routes:2: org.rocksdb.X.f(J)V: rocksdb_f takes 2 arguments");
  }

  @Test
  void theBuildFailsOnAnEntryPointThatWouldNeedAJniEnv() {
    workshop.published("class X { static native byte[] f(); }").routes("[org.rocksdb.X]\nf ()[B jni");
    assertFails(
        "test.routes:2: org.rocksdb.X.f()[B: an entry point gets no JNIEnv, so it can neither take nor give objects");
  }

  @Test
  void anEntryPointThatIsGivenAnEnvironmentTakesAndGivesObjectsAndIsToldWhoseItIs() throws Exception {
    workshop
        .published("""
            class X {
              static native String f(String s, int i);
              native void g(long p);
              public String toString() { return "an X"; }
              static void run() { f("s", 7); new X().g(8); }
            }
            """)
        .routes("[org.rocksdb.X]\nf (Ljava/lang/String;I)Ljava/lang/String; env\ng (J)V env");
    workshop.relink();
    assertEquals(
        """
        linked env Java_org_rocksdb_X_f(Ljava/lang/Object;Ljava/lang/String;I)Ljava/lang/String;
        called env Java_org_rocksdb_X_f[class org.rocksdb.X, s, 7]
        linked env Java_org_rocksdb_X_g(Ljava/lang/Object;J)V
        called env Java_org_rocksdb_X_g[an X, 8]
        """,
        workshop.run("X", "run"));
  }

  @Test
  void anEntryPointOfGlueIsGivenAnEnvironmentIfItTakesObjectsOrThrows() throws Exception {
    workshop
        .published("class X { static native void f(); static void run() { f(); } }")
        .glue("""
            public class G {
              public static void f() {
                try { Java_x(7, "s"); Java_y(8); Java_z(9); } catch (Exception e) { throw new AssertionError(e); }
              }
              private static native void Java_x(int i, String s);
              private static native void Java_y(int i) throws Exception;
              private static native void Java_z(int i);
            }
            """)
        .routes("[org.rocksdb.X]\nf ()V glue G.f");
    workshop.relink();
    assertEquals(
        """
        linked env Java_x(Ljava/lang/Object;ILjava/lang/String;)V
        called env Java_x[null, 7, s]
        linked env Java_y(Ljava/lang/Object;I)V
        called env Java_y[null, 8]
        found c Java_z
        called c Java_z[0, 0, 9, 0, 0, 0]
        """,
        workshop.run("X", "run"));
  }

  @Test
  void theBuildFailsOnACFunctionThatGlueDeclaresOtherwise() {
    workshop
        .published("class X { static native void f(); }")
        .glue("public class G { public static void f() { rocksdb_f(5); } private static native int rocksdb_f(int p); }")
        .routes("[org.rocksdb.X]\nf ()V glue G.f")
        .cApi("rocksdb_f int rocksdb_t*");
    assertFails(
        "org/rocksdbffm/compat/G declares rocksdb_f(I)I, but by its header it is (J)I");
  }

  @Test
  void theReportCounts() throws Exception {
    workshop
        .published(
            "class X { static native void f(); static native void g(); static native void h(); static native void "
            + "i(); }")
        .glue("public class G { public static void f() { Java_x(); } private static native void Java_x(); }")
        .routes("[org.rocksdb.X]\nf ()V glue G.f\ng ()V jni\nh ()V none it is dead upstream\ni ()V env");
    assertEquals(
        """
        native methods linked: 4
          to C functions:              0
          to glue:                     1
          to JNI entry points:         1
          ... with an environment:     1
          to nothing, they refuse:     1
        entry points that glue calls: 1""",
        workshop.relink().toString());
  }

  private void assertFails(String message) {
    assertEquals(message, assertThrows(RelinkException.class, workshop::relink).getMessage());
  }
}
