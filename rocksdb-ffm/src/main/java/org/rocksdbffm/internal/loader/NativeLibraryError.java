/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.internal.loader;

/** The native library cannot be used. The message says why and what to do about it. */
public final class NativeLibraryError extends LinkageError {
  private static final long serialVersionUID = 1L;

  private final boolean ofFolder;

  NativeLibraryError(String message) {
    this(message, null);
  }

  NativeLibraryError(String message, Throwable cause) {
    this(message, cause, false);
  }

  private NativeLibraryError(String message, Throwable cause, boolean ofFolder) {
    super(message, cause);
    this.ofFolder = ofFolder;
  }

  /** An error that is a folder's: the library may be kept in another one. */
  static NativeLibraryError ofFolder(String message, Throwable cause) {
    return new NativeLibraryError(message, cause, true);
  }

  boolean isOfFolder() {
    return ofFolder;
  }
}
