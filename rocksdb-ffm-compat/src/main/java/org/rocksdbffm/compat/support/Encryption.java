/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.support;

import java.lang.System.Logger.Level;
import java.nio.file.Path;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.rocksdbffm.EncryptionKeys;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.settings.NativeEncryption;

/**
 * The encryption of all files, if the system property {@value #PROPERTY} names a key file. The engine's default
 * environment is replaced wherever a program gets it, and in all options that it creates.
 */
public final class Encryption {
  public static final String PROPERTY = "org.rocksdbffm.compat.encryption";

  private static final String FILE = System.getProperty(PROPERTY);

  private static NativeEncryption keys; // never released, because any options may use the environment

  private Encryption() {}

  /** Returns the keys, which are read at the first use; null without the property. */
  private static synchronized NativeEncryption keys() {
    if (keys == null && FILE != null) {
      try {
        keys = EncryptionKeys.ofFile(Path.of(FILE)).use(NativeEncryption::shareOfCurrent);
      } catch (IllegalArgumentException | UnsupportedOperationException e) {
        throw new IllegalArgumentException("-D" + PROPERTY + "=" + FILE + ": " + e.getMessage(), e);
      }
      System.getLogger(Mode.LOGGER).log(
          Level.INFO,
          "-D" + PROPERTY + "=" + FILE + ": all files are encrypted, new ones with the key '" + keys.newest() + "'");
    }
    return keys;
  }

  /** Whether files are encrypted. Code that each program runs at its start asks before it uses a lambda. */
  public static boolean isOn() {
    return FILE != null;
  }

  /** Returns the keys; null without the property. */
  public static NativeEncryption keysOrNull() {
    return FILE == null ? null : keys();
  }

  /** Returns the environment of {@code Env.getDefault()}. */
  public static long defaultEnv() {
    NativeEncryption encryption = keysOrNull();
    return encryption == null
        ? Java_org_rocksdb_Env_getDefaultEnvInternal()
        : Memory.pointer(Memory.at(encryption.environment().address(), Long.BYTES), 0); // the C API's struct around it
  }

  /** Creates Options or DBOptions. */
  public static long newOptions() {
    NativeEncryption encryption = keysOrNull();
    long options = rocksdb_options_create();
    if (encryption != null) {
      rocksdb_options_set_env(options, encryption.environment().address());
    }
    return options;
  }

  public static long newConfigOptions() {
    NativeEncryption encryption = keysOrNull();
    long options = Java_org_rocksdb_ConfigOptions_newConfigOptions();
    if (encryption != null) {
      Java_org_rocksdb_ConfigOptions_setEnv(options, defaultEnv());
    }
    return options;
  }

  /** Sets the environment in options that the engine has replaced. */
  public static void setIn(long options) {
    NativeEncryption encryption = keysOrNull();
    if (encryption != null) {
      rocksdb_options_set_env(options, encryption.environment().address());
    }
  }

  /** Runs an operation that reads files in Java. */
  public static <T, E extends Throwable> T during(ScopedValue.CallableOp<T, E> operation) throws E {
    return NativeEncryption.during(keysOrNull(), operation);
  }

  /** Throws if options need something that encrypted files do not have. */
  public static void requirePossible(long options) throws RocksDBException {
    if (FILE != null && rocksdb_options_get_use_direct_io_for_flush_and_compaction(options)) {
      throw Errors.of(
          Status.Code.InvalidArgument,
          "use_direct_io_for_flush_and_compaction writes the last page of a file again, and encrypted files are written"
              + " once: leave it out, or -D" + PROPERTY);
    }
  }

  private static native long rocksdb_options_create();

  private static native void rocksdb_options_set_env(long options, long env);

  private static native boolean rocksdb_options_get_use_direct_io_for_flush_and_compaction(long options);

  private static native long Java_org_rocksdb_Env_getDefaultEnvInternal();

  private static native long Java_org_rocksdb_ConfigOptions_newConfigOptions();

  private static native void Java_org_rocksdb_ConfigOptions_setEnv(long config, long env);
}
