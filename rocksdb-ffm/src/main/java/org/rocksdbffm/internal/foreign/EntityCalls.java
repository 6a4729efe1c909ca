/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.foreign;

import static org.rocksdbffm.internal.foreign.CxxEngine.link;
import static org.rocksdbffm.internal.foreign.Downcalls.call;

import java.lang.invoke.MethodHandle;
import org.rocksdbffm.internal.loader.NativeLibraryError;

/**
 * The functions of the C++ stubs for entities, and for reading many keys of a transaction, with a {@code long} for each
 * pointer. Usable after {@link #open} or {@link #areAvailable}.
 */
public final class EntityCalls {
  // The sources of entities.
  public static final int OF_DATABASE = 0;
  public static final int OF_BATCH = 1;
  public static final int OF_TRANSACTION = 2;
  public static final int TO_SHARE = 3;
  public static final int FOR_UPDATE = 4;

  private EntityCalls() {}

  /** Opens the C++ stubs, before any other call; throws if they are missing. */
  public static void open() {
    CxxEngine.address();
  }

  /** Opens the C++ stubs, if they exist: they are optional for {@link #multiGet}. */
  public static boolean areAvailable() {
    StackRoom.require(); // a class that is initialized at the end of a stack stays unusable
    return Availability.IS_AVAILABLE;
  }

  /**
   * Reads the values of keys, a {@code rocksdb_ffm_cxx_keys}, from a transaction or a batch with an index; returns how
   * many failed.
   */
  public static long multiGet(long reader, int source, long keys) {
    return call(Functions.MULTI_GET, Engine.ADDRESS, reader, source, keys, 0, 0);
  }

  /** Reads a key; returns the columns, or 0 if the key is missing or the error cell has a message. */
  public static long read(long reader, int source, long key, long keySize, long error) {
    return call(Functions.READ, Engine.ADDRESS, reader, source, key, keySize, error);
  }

  /** Reads many keys, a {@code rocksdb_ffm_cxx_keys}; fills in the columns of each, and 0 for missing keys. */
  public static void readAll(long reader, int source, long keys, long entities, long error) {
    call(Functions.READ_ALL, Engine.ADDRESS, reader, source, keys, entities, error);
  }

  /** Reads the operands of a key; the result is as for a {@link #read}. */
  public static long operands(long reader, long key, long keySize, long error) {
    return call(Functions.OPERANDS, Engine.ADDRESS, reader, key, keySize, error, 0);
  }

  /** Puts the columns in a transaction or a batch with an index. */
  public static void put(long reader, int source, long key, long columns, long error) {
    call(Functions.PUT, Engine.ADDRESS, reader, source, key, columns, error);
  }

  /** Returns the columns of an iterator's row, valid until it moves. */
  public static long ofRow(long iterator) {
    return call(Functions.OF_ROW, iterator, 0, 0, 0, 0, 0);
  }

  /** Destroys columns that were read. */
  public static void destroy(long columns) {
    call(Functions.DESTROY, Engine.ADDRESS, columns, 0, 0, 0, 0);
  }

  private static final class Engine {
    static final long ADDRESS = CxxEngine.address();
  }

  private static final class Availability {
    static final boolean IS_AVAILABLE = isAvailable();

    private static boolean isAvailable() {
      try {
        open();
        return true;
      } catch (NativeLibraryError missing) {
        return false;
      }
    }
  }

  /** Linked together: functions with one signature are linked fast. */
  private static final class Functions {
    static final MethodHandle MULTI_GET = link("multi_get");
    static final MethodHandle READ = link("entity");
    static final MethodHandle READ_ALL = link("entities");
    static final MethodHandle OPERANDS = link("operands");
    static final MethodHandle PUT = link("put_entity");
    static final MethodHandle OF_ROW = link("row");
    static final MethodHandle DESTROY = link("entity_destroy");
  }
}
