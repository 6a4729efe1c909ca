/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.relinker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The calls for uses, closes and their order that are woven into rocksdbjni's methods. */
class LifetimeWeavingTest {
  @TempDir Path folder;
  private Workshop workshop;

  @BeforeEach
  void open() {
    workshop = new Workshop(folder);
  }

  @Test
  void aMethodAnnouncesWhosePointersItReadsAndLeavesHoweverItEnds() throws Exception {
    workshop
        .published("""
            class X extends RocksObject {
              X(long p) { super(p); }
              static native void f(long a, long b);
              void both(X other, boolean fail) {
                f(nativeHandle_, other.nativeHandle_);
                if (fail) throw new IllegalArgumentException();
              }
              public String toString() { return "X"; }
              static void run() {
                try { new X(1).both(new X(2), true); } catch (IllegalArgumentException e) { return; }
              }
            }
            """)
        .glue("public class G { public static void f(long a, long b) { Log.add(a + b); } }")
        .routes("[org.rocksdb.X]\nf (JJ)V glue G.f");
    workshop.relink();
    assertEquals("use X\ntogether\nuse X\ntogether\n3\nleave used\n", workshop.run("X", "run"));
  }

  @Test
  void aConstructorAnnouncesWhosePointersItReadsAndLeavesHoweverItEnds() throws Exception {
    workshop
        .published("""
            class X extends RocksObject {
              X(long p) { super(p); }
              X(X other, boolean fail) {
                super(make(other.nativeHandle_, new Object()));
                if (fail) throw new IllegalArgumentException();
              }
              static native long f(long a);
              static long make(long p, Object part) {
                if (f(p) == 0) throw new IllegalStateException();
                return p;
              }
              public String toString() { return "X"; }
              static void run() {
                new X(new X(1), false);
                try { new X(new X(2), true); } catch (IllegalArgumentException e) { f(-1); }
                try { new X(new X(0), false); } catch (IllegalStateException e) { f(-2); }
              }
            }
            """)
        .glue("public class G { public static long f(long a) { Log.add(a); return a; } }")
        .routes("[org.rocksdb.X]\nf (J)J glue G.f");
    workshop.relink();
    assertEquals(
        "use X\n1\nleave used\nuse X\n2\nleave used\n-1\nuse X\n0\nleave used\n-2\n", workshop.run("X", "run"));
  }

  @Test
  void closingAsksTheGuard() throws Exception {
    workshop
        .published("""
            class X extends RocksObject {
              X() { super(1); }
              void close() { if (owningHandle_.compareAndSet(true, false)) dispose(); }
              static native void dispose();
              static void run() { X x = new X(); x.close(); x.close(); }
            }
            """)
        .glue("public class G { public static void d() { Log.add(\"disposed\"); } }")
        .routes("[org.rocksdb.X]\ndispose ()V glue G.d");
    workshop.relink();
    assertEquals("may dispose\ndisposed\nmay dispose\n", workshop.run("X", "run"));
  }

  @Test
  void whatDisposesOfAnObjectIsThereWithoutIt() throws Exception {
    workshop
        .published("""
            class X extends RocksObject {
              X() { super(1); }
              protected void disposeInternal(long p) { free(p); }
              static native void free(long p);
              static void run() throws Exception { X.class.getDeclaredMethod("dispose$", long.class).invoke(null, 7L); }
            }
            """)
        .published("""
            class Y extends RocksObject {
              Y() { super(1); }
              protected native void disposeInternal(long p);
              static void run() throws Exception { Y.class.getDeclaredMethod("dispose$", long.class).invoke(null, 8L); }
            }
            """)
        .glue("public class G { public static void free(long p) { Log.add(\"freed \" + p); } }")
        .routes("[org.rocksdb.X]\nfree (J)V glue G.free\n[org.rocksdb.Y]\ndisposeInternal (J)V glue G.free");
    workshop.relink();
    assertEquals("freed 7\n", workshop.run("X", "run"));
    assertEquals("freed 8\n", workshop.run("Y", "run"));
  }

  @Test
  void onlyACloseThatTellsErrorsAsksTheEngineForThem() throws Exception {
    workshop
        .published("""
            class X {
              static void close() { closeDatabase(1); }
              static void closeE() { closeDatabase(2); }
              static native void closeDatabase(long p);
              static void run() { close(); closeE(); }
            }
            """)
        .glue("public class G { public static void d(long p) { Log.add(p); } }")
        .routes("[org.rocksdb.X]\ncloseDatabase (J)V glue G.d");
    workshop.relink();
    assertEquals("2\n", workshop.run("X", "run"));
  }

  @Test
  void theTableOfLifetimesSaysWhatMethodsMean() throws Exception {
    workshop
        .published("""
            class X {
              final String name;
              X(X parent, String name) { this.name = name; }
              X set(X x) { return this; }
              X make(int i, X a, long l, X b) { return new X(null, "made"); }
              X lend() { return new X(null, "lent"); }
              X bear() { return new X(null, "born"); }
              static X open(X x, int i, X y) { return new X(null, "opened"); }
              void heir(X x) { if (x == null) return; }
              public String toString() { return name; }
              static native void f();
              static void run() {
                X p = new X(null, "p");
                X c = new X(p, "c");
                c.set(p);
                c.set(null);
                c.make(1, c, 2, p);
                p.lend();
                p.bear();
                open(p, 1, c);
                c.heir(null);
              }
            }
            """)
        .routes("[org.rocksdb.X]\nf ()V jni")
        .lifetimes("""
            child org.rocksdb.X <init> (Lorg/rocksdb/X;Ljava/lang/String;)V # and more
            keeps org.rocksdb.X set (Lorg/rocksdb/X;)Lorg/rocksdb/X;
            result-inherits org.rocksdb.X make (ILorg/rocksdb/X;JLorg/rocksdb/X;)Lorg/rocksdb/X;
            lends org.rocksdb.X lend ()Lorg/rocksdb/X;
            bears org.rocksdb.X bear ()Lorg/rocksdb/X;
            result-keeps org.rocksdb.X open (Lorg/rocksdb/X;ILorg/rocksdb/X;)Lorg/rocksdb/X;
            result-inherits org.rocksdb.X open (Lorg/rocksdb/X;ILorg/rocksdb/X;)Lorg/rocksdb/X;
            inherits org.rocksdb.X heir (Lorg/rocksdb/X;)V
            """);
    workshop.relink();
    assertEquals(
        """
        null adopts p
        p adopts c
        c keeps set p
        c keeps set null
        null adopts made
        made inherits c
        made inherits p
        null adopts lent
        p lends lent
        null adopts born
        p adopts born
        null adopts opened
        opened inherits p
        opened inherits c
        opened keeps open p
        c inherits null
        """,
        workshop.run("X", "run"));
  }

  @Test
  void theTableOfLifetimesSaysWhatEndsBeforeItsOwner() throws Exception {
    workshop
        .published("""
            class X extends RocksObject {
              final String name;
              X(String name) { super(1); this.name = name; }
              void end() { f(nativeHandle_); }
              X over(X base) { return new X("over"); }
              X renew(int i, X child) { return child; }
              void ask() { f(nativeHandle_); }
              public String toString() { return name; }
              static native void f(long pointer);
              static void run() {
                X x = new X("x");
                x.end();
                x.over(new X("base"));
                x.renew(1, new X("child"));
                x.ask();
              }
            }
            """)
        .glue("public class G { public static void f(long pointer) { Log.add(\"f\"); } }")
        .routes("[org.rocksdb.X]\nf (J)V glue G.f")
        .lifetimes("""
            ends org.rocksdb.X end ()V
            result-takes org.rocksdb.X over (Lorg/rocksdb/X;)Lorg/rocksdb/X;
            renews org.rocksdb.X renew (ILorg/rocksdb/X;)Lorg/rocksdb/X;
            shares org.rocksdb.X ask ()V
            """);
    workshop.relink();
    assertEquals(
        """
        use x
        f
        ends in x
        leave used
        may take over base
        over takes over base
        x may renew child
        ends in child
        share x
        f
        leave shared
        """,
        workshop.run("X", "run"));
  }

  @Test
  void whatIsPutIntoAnOwnedFieldBecomesAChild() throws Exception {
    workshop
        .published("""
            class X {
              final X part;
              final String name;
              X(String name) { this.name = name; this.part = name.isEmpty() ? this : new X(""); }
              public String toString() { return "X" + name; }
              static native void f();
              static void run() { new X("1"); }
            }
            """)
        .routes("[org.rocksdb.X]\nf ()V jni")
        .lifetimes("owns org.rocksdb.X part Lorg/rocksdb/X;");
    workshop.relink();
    assertEquals("X owns X\nX1 owns X\n", workshop.run("X", "run"));
  }
}
