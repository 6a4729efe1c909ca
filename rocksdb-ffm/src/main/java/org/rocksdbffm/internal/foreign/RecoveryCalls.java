/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.foreign;

import static org.rocksdbffm.internal.foreign.CxxEngine.link;
import static org.rocksdbffm.internal.foreign.Downcalls.call;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.rocksdbffm.internal.loader.NativeLibrary;

/**
 * The functions that resume writes and compactions, with a {@code long} for each pointer. The functions of the C++
 * stubs throw {@code NativeLibraryError} if the library of the C++ stubs is missing.
 */
public final class RecoveryCalls {
  private RecoveryCalls() {}

  /** Resumes the writes of a database; the error cell receives a message. */
  public static void resume(long db, long errorCell) {
    long engine = CxxEngine.address(); // before the holder class is initialized: a failed initializer is never retried
    call(Stubs.RESUME, engine, db, errorCell, 0, 0, 0);
  }

  /** Returns the severity of the background error of a database; the error cell receives the error's text, if there is one. */
  public static int backgroundError(long db, long errorCell) {
    long engine = CxxEngine.address(); // first, as in resume
    return (int) call(Stubs.BACKGROUND_ERROR, engine, db, errorCell, 0, 0, 0);
  }

  /** Creates a recovery with two owners; 0 if memory is full. */
  public static long createRecovery() {
    CxxEngine.address(); // first, as in resume
    return call(Stubs.CREATE_RECOVERY, 0, 0, 0, 0, 0, 0);
  }

  /** Makes a listener of the engine leave the recovery from a full disk to the caller. */
  public static void watch(long recovery, long listener) {
    call(Stubs.WATCH, recovery, listener, 0, 0, 0, 0);
  }

  /** Returns whether a disk was full since the last call. */
  public static boolean takeWanted(long recovery) {
    return (int) call(Stubs.TAKE_WANTED, recovery, 0, 0, 0, 0, 0) != 0;
  }

  public static void releaseRecovery(long recovery) {
    call(Stubs.RELEASE, recovery, 0, 0, 0, 0, 0);
  }

  /** Returns the function that releases the recovery of a listener. */
  public static MemorySegment release() {
    return NativeLibrary.find("rocksdb_ffm_cxx_recovery_release");
  }

  /** Returns a function for events that a listener ignores. */
  public static MemorySegment ignore() {
    return NativeLibrary.find("rocksdb_ffm_cxx_recovery_ignore");
  }

  /** Returns the function for sealed memtables: it makes {@link #resume} wait for discarded flushes. */
  public static MemorySegment sealed() {
    return NativeLibrary.find("rocksdb_ffm_cxx_recovery_sealed");
  }

  /** Aborts all compactions of a database, and starts none; the engine counts the calls. */
  public static void abortCompactions(long db) {
    call(Engine.ABORT, db, 0, 0, 0, 0, 0);
  }

  public static void resumeCompactions(long db) {
    call(Engine.RESUME_COMPACTIONS, db, 0, 0, 0, 0, 0);
  }

  /** Functions of the C++ stubs. */
  private static final class Stubs {
    static final MethodHandle RESUME = link("resume");
    static final MethodHandle BACKGROUND_ERROR = link("background_error");
    static final MethodHandle CREATE_RECOVERY = link("recovery_create");
    static final MethodHandle WATCH = link("recovery_watch");
    static final MethodHandle TAKE_WANTED = link("recovery_take_wanted");
    static final MethodHandle RELEASE = link("recovery_release");
  }

  /** Functions that the engine exports, but the C header lacks. */
  private static final class Engine {
    static final MethodHandle ABORT = Downcalls.link("rocksdb_abort_all_compactions", Downcalls.WORDS);
    static final MethodHandle RESUME_COMPACTIONS = Downcalls.link("rocksdb_resume_all_compactions", Downcalls.WORDS);
  }
}
