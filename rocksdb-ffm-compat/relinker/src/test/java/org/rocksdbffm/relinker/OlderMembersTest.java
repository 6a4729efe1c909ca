/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.relinker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OlderMembersTest {
  /** Calls members that the published class has not, like a program compiled against an older class. */
  private static final String CALLER =
      """
      class Caller {
        static Object call(Object target, String name, Object... arguments) {
          for (var method : target.getClass().getDeclaredMethods()) {
            if (method.getName().equals(name) && method.getParameterCount() == arguments.length && !method.isBridge()) {
              try {
                return method.invoke(target, arguments);
              } catch (java.lang.reflect.InvocationTargetException e) {
                return e.getCause().getMessage();
              } catch (ReflectiveOperationException e) {
                throw new AssertionError(e);
              }
            }
          }
          throw new AssertionError(name);
        }
      }
      """;

  @TempDir Path folder;
  private Workshop workshop;

  @BeforeEach
  void open() {
    workshop = new Workshop(folder).published(CALLER);
  }

  private String ran(String type) throws Exception {
    workshop.routes("[org.rocksdb." + type + "]\nlog (Ljava/lang/Object;)V glue G.log");
    workshop.glue("public class G { public static void log(Object text) { Log.add(text); } }");
    workshop.relink();
    return workshop.run(type, "run");
  }

  @Test
  void anIgnoredSetterKeepsWhatItsGetterAnswersAndCopiesHaveItToo() throws Exception {
    workshop
        .published("""
            public class X extends RocksObject {
              X() { super(7); }
              X(X other) { super(8); }
              static native void log(Object text);
              public String toString() { return "X"; }
              static void run() {
                X x = new X();
                log(Caller.call(x, "size"));
                log(Caller.call(x, "setSize", 5L) == x);
                log(Caller.call(new X(x), "size"));
              }
            }
            """)
        .older("""
            [org.rocksdb.X]
            setSize (J)Lorg/rocksdb/X; 7.0.3 ignored size
            size ()J                   7.0.3 ignored size =4096
            """);
    assertEquals(
        """
        use X
        leave used
        4096
        use X
        leave used
        true
        use X
        leave used
        5
        """,
        ran("X"));
  }

  @Test
  void aMemberIsDoneByAnotherOneOrByGlue() throws Exception {
    workshop
        .published("""
            public class X extends RocksObject {
              X() { super(7); }
              static native void log(Object text);
              public X setName(CharSequence name, int number) { log(name + " " + number); return this; }
              public String toString() { return "X"; }
              static void run() {
                X x = new X();
                log(Caller.call(x, "setName", "a") == x);
                log(Caller.call(x, "setNumber", 5) == x);
              }
            }
            """)
        .glue("""
            public class H {
              public static void set(long handle, int value, boolean really) { Log.add(handle + " " + value + " " + really); }
            }
            """)
        .older("""
            [org.rocksdb.X]
            setName (Ljava/lang/String;)Lorg/rocksdb/X; 7.0.3 calls setName (Ljava/lang/CharSequence;I)Lorg/rocksdb/X; 0 =3
            setNumber (I)Lorg/rocksdb/X;                7.0.3 glue H.set handle 0 =true
            """);
    assertEquals("a 3\ntrue\nuse X\n7 5 true\nleave used\ntrue\n", ran("X"));
  }

  @Test
  void theRefusalNamesTheMethodTheReleaseAndTheWayOut() throws Exception {
    workshop
        .published("""
            public class X {
              static native void log(Object text);
              static void run() { log(Caller.call(new X(), "drop", "a", 1)); }
            }
            """)
        .published("public class RocksDBException extends Exception { static final long serialVersionUID = 1; }")
        .older("[org.rocksdb.X]\nthrows drop (Ljava/lang/String;I)V 7.0.3 refused it drops nothing; call keep");
    assertEquals(
        "org.rocksdb.X.drop(String,int) of release 7.0.3 is not there any more: it drops nothing; call keep\n",
        ran("X"));
  }

  @Test
  void aConstantComesBehindThoseOfTheEnumWithTheNumberOfAnother() throws Exception {
    workshop
        .published("""
            public class X {
              enum Kind {
                ONE((byte) 1), TWO((byte) 2);
                private final byte value;
                Kind(byte value) { this.value = value; }
                byte getValue() { return value; }
              }
              static native void log(Object text);
              static void run() {
                for (Kind kind : Kind.values()) log(kind + " " + kind.ordinal() + " " + kind.getValue());
                log(Kind.valueOf("FOUR") == new java.util.EnumMap<>(java.util.Map.of(Kind.values()[3], 1)).keySet().iterator().next());
              }
            }
            """)
        .older("""
            [org.rocksdb.X$Kind]
            THREE Lorg/rocksdb/X$Kind; 7.0.3 constant TWO
            FOUR  Lorg/rocksdb/X$Kind; 7.0.3 constant ONE
            """);
    assertEquals("ONE 0 1\nTWO 1 2\nTHREE 2 2\nFOUR 3 1\ntrue\n", ran("X"));
  }

  @Test
  void whoeverImplementsAnInterfaceNeedNotHaveItsOlderMethodsAndUpstreamsClassesDo() throws Exception {
    workshop
        .published("""
            public interface I<T extends I<T>> {
              interface J<T extends I<T>> extends I<T> {}
              class Mine implements I<Mine> {}
            }
            """)
        .published("""
            public class X implements I.J<X> {
              static native void log(Object text);
              static Object call(Object target) throws Exception {
                try {
                  return I.class.getMethod("set", int.class).invoke(target, 3);
                } catch (java.lang.reflect.InvocationTargetException e) {
                  return e.getCause().getMessage();
                }
              }
              static void run() throws Exception {
                X x = new X();
                log(call(x) == x);
                log(call(new I.Mine()));
              }
            }
            """)
        .older("""
            [org.rocksdb.I]
            set (I)Lorg/rocksdb/I; 7.0.3 declared
            [org.rocksdb.X]
            set (I)Lorg/rocksdb/X; 7.0.3 ignored
            """);
    assertEquals("true\nthis implementation of org.rocksdb.I has no set\n", ran("X"));
  }

  @Test
  void typeParametersAreKept() throws Exception {
    workshop
        .published("""
            public class X {
              static native void log(Object text);
              static void run() {
                for (var method : X.class.getDeclaredMethods()) {
                  if (method.getName().equals("f")) log(method.toGenericString());
                }
              }
            }
            """)
        .older("[org.rocksdb.X]\nf (Ljava/util/List<Ljava/lang/String;>;I)V 7.0.3 refused it is gone");
    assertEquals("public void org.rocksdb.X.f(java.util.List<java.lang.String>,int)\n", ran("X"));
  }

  @Test
  void theBuildFailsOnAMemberThatThePublishedReleaseHas() {
    workshop.published("class X { void f() {} }").older("[org.rocksdb.X]\nf ()V 7.0.3 ignored");
    assertFails("older.members:2: org.rocksdb.X.f()V: the published release has it");
  }

  @Test
  void theBuildFailsOnAMemberOfNoClass() {
    workshop.older("[org.rocksdb.Y]\nf ()V 7.0.3 ignored");
    assertFails("older.members:2: org.rocksdb.Y.f()V: there is no such class");
  }

  @Test
  void theBuildFailsOnGlueThatDoesNotFit() {
    workshop
        .published("class X { }")
        .glue("public class G { public static void f(int i) {} }")
        .older("[org.rocksdb.X]\nf ()V 7.0.3 glue G.f");
    assertFails("older.members:2: org.rocksdb.X.f()V: 0 methods of the glue take these arguments");
  }

  @Test
  void theBuildFailsOnAMemberThatCallsWhatThereIsNot() {
    workshop.published("class X { }").older("[org.rocksdb.X]\nf ()V 7.0.3 calls g ()V");
    assertFails("older.members:2: org.rocksdb.X.f()V: it calls what there is not, or with other arguments");
  }

  @Test
  void theBuildFailsOnARowThatIsNone() {
    workshop.older("[org.rocksdb.X]\nf ()V 7.0.3");
    assertFails(
        "older.members:2: a row is a member, its descriptor, a release and what becomes of it, below a class in "
        + "brackets");
    workshop.older("[org.rocksdb.X]\nf ()V 7.0.3 dropped");
    assertFails("older.members:2: nothing becomes 'dropped'");
    workshop.older("[org.rocksdb.X]\nf ()V 7.0.3 refused");
    assertFails("older.members:2: 'refused' says more than that");
    workshop.older("[org.rocksdb.X]\nf ()V 7.0.3 ignored\nf ()V 7.2.2 ignored");
    assertFails("older.members:3: org.rocksdb.X.f()V: has a row already");
  }

  private void assertFails(String message) {
    assertEquals(message, assertThrows(RelinkException.class, workshop::relink).getMessage());
  }
}
