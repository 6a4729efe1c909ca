/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.relinker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The arguments of a native method are checked against the table before the method does anything. */
class ArgumentTableTest {
  @TempDir Path folder;
  private Workshop workshop;

  @BeforeEach
  void open() {
    workshop = new Workshop(folder);
  }

  @Test
  void eachArgumentIsCheckedByItsKindBeforeTheCall() throws Exception {
    workshop
        .published("""
            class X {
              static native void f(long p, byte[] key, int offset, int length, int levels, byte priority);
              static void run() { f(7, new byte[5], 1, 3, 9, (byte) 2); }
            }
            """)
        .glue(
            "public class G { public static void f(long p, byte[] k, int o, int l, int n, byte b) { Log.add(\"f\"); } "
            + "}")
        .routes("[org.rocksdb.X]\nf (J[BIIIB)V glue G.f")
        .arguments("""
            [org.rocksdb.X]
            f (J[BIIIB) it=object key=bytes offset=offset length=length levels=option:cf:num_levels priority=0..3
            """);
    workshop.relink();
    assertEquals(
        """
        it is object 7
        key is there
        length is 1+3 of 5
        cf num_levels is 9 in 7
        priority is 2 from 0 to 3
        f
        """,
        workshop.run("X", "run"));
  }

  @Test
  void glueChecksAllArgumentsTogether() throws Exception {
    workshop
        .published("class X { static native long f(int a, int b); static void run() { f(1, 2); } }")
        .glue("public class G { public static void both(int a, int b) { Log.add(a + b); } }")
        .routes("[org.rocksdb.X]\nf (II)J jni")
        .arguments("[org.rocksdb.X]\nf (II) a=any b=any !G.both");
    workshop.relink();
    assertTrue(workshop.run("X", "run").startsWith("3\nlinked"));
  }

  @Test
  void aNativeMethodWithoutARowFailsTheBuild() {
    workshop
        .published("class X { static native void f(long a); }")
        .routes("[org.rocksdb.X]\nf (J)V jni")
        .arguments("[org.rocksdb.X]\n* (JJ)* a=object b=object");
    refuses("no row says what the arguments may be of org.rocksdb.X.f(J)V");
  }

  @Test
  void aRowForAllMethodsWithTheSameParametersIsForThoseWithoutOneOfTheirOwn() throws Exception {
    workshop
        .published("""
            class X {
              static native int f(long a);
              static native void g(long a);
              static void run() { f(1); g(2); }
            }
            """)
        .glue("public class G { public static int f(long a) { return 1; } public static void g(long a) {} }")
        .routes("[org.rocksdb.X]\nf (J)I glue G.f\ng (J)V glue G.g")
        .arguments("[org.rocksdb.X]\n* (J)* it=object\ng (J) it=1..2");
    workshop.relink();
    assertEquals("it is object 1\nit is 2 from 1 to 2\n", workshop.run("X", "run"));
  }

  @Test
  void aRowAboutNoMethodFailsTheBuild() {
    workshop
        .published("class X { static native void f(long a); }")
        .routes("[org.rocksdb.X]\nf (J)V jni")
        .arguments("[org.rocksdb.X]\nf (J) a=any\ng (J) a=any");
    refuses("test.arguments:3: there is no native method");
  }

  @Test
  void aKindThatDoesNotFitTheTypeFailsTheBuild() {
    workshop
        .published("class X { static native void f(String a); }")
        .glue("public class G { public static void f(String a) {} }")
        .routes("[org.rocksdb.X]\nf (Ljava/lang/String;)V glue G.f")
        .arguments("[org.rocksdb.X]\nf (Ljava/lang/String;) a=object");
    refuses("test.arguments:2: a is a String, which cannot be object");
  }

  @Test
  void aRowWithTooFewArgumentsFailsTheBuild() {
    workshop
        .published("class X { static native void f(long a, int b); }")
        .routes("[org.rocksdb.X]\nf (JI)V jni")
        .arguments("[org.rocksdb.X]\nf (JI) a=object");
    refuses("test.arguments:2: org.rocksdb.X.f(JI)V has 2 parameters");
  }

  private void refuses(String message) {
    RelinkException refused = assertThrows(RelinkException.class, workshop::relink);
    assertTrue(refused.getMessage().contains(message), refused.getMessage());
  }
}
