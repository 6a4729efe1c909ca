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
    call(Resume.HANDLE, engine, db, errorCell, 0, 0, 0);
  }

  /** Returns the severity of the background error of a database; the error cell receives the error's text, if there is one. */
  public static int backgroundError(long db, long errorCell) {
    long engine = CxxEngine.address(); // first, as in resume
    return (int) call(BackgroundError.HANDLE, engine, db, errorCell, 0, 0, 0);
  }

  /** Creates a recovery with two owners; 0 if memory is full. */
  public static long createRecovery() {
    return call(CreateRecovery.HANDLE, 0, 0, 0, 0, 0, 0);
  }

  /** Makes a listener of the engine leave the recovery from a full disk to the caller. */
  public static void watch(long recovery, long listener) {
    call(Watch.HANDLE, recovery, listener, 0, 0, 0, 0);
  }

  /** Returns whether a disk was full since the last call. */
  public static boolean takeWanted(long recovery) {
    return (int) call(TakeWanted.HANDLE, recovery, 0, 0, 0, 0, 0) != 0;
  }

  public static void releaseRecovery(long recovery) {
    call(Release.HANDLE, recovery, 0, 0, 0, 0, 0);
  }

  /** Returns the function that releases the recovery of a listener. */
  public static MemorySegment release() {
    return NativeLibrary.find("rocksdb_ffm_cxx_recovery_release");
  }

  /** Returns a function for events that a listener ignores. */
  public static MemorySegment ignore() {
    return NativeLibrary.find("rocksdb_ffm_cxx_recovery_ignore");
  }

  /** Aborts all compactions of a database, and starts none; the engine counts the calls. */
  public static void abortCompactions(long db) {
    call(Abort.HANDLE, db, 0, 0, 0, 0, 0);
  }

  public static void resumeCompactions(long db) {
    call(ResumeCompactions.HANDLE, db, 0, 0, 0, 0, 0);
  }

  private static final class Resume {
    static final MethodHandle HANDLE = link("resume");
  }

  private static final class BackgroundError {
    static final MethodHandle HANDLE = link("background_error");
  }

  /** The engine exports this function and the next one, but the C header lacks them. */
  private static final class Abort {
    static final MethodHandle HANDLE = Downcalls.link("rocksdb_abort_all_compactions", Downcalls.WORDS);
  }

  private static final class ResumeCompactions {
    static final MethodHandle HANDLE = Downcalls.link("rocksdb_resume_all_compactions", Downcalls.WORDS);
  }

  private static final class CreateRecovery {
    static final MethodHandle HANDLE = link("recovery_create");
  }

  private static final class Watch {
    static final MethodHandle HANDLE = link("recovery_watch");
  }

  private static final class TakeWanted {
    static final MethodHandle HANDLE = link("recovery_take_wanted");
  }

  private static final class Release {
    static final MethodHandle HANDLE = link("recovery_release");
  }
}
