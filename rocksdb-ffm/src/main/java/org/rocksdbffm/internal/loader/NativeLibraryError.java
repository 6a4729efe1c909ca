/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.internal.loader;

/** The native library cannot be used. The message says why and what to do about it. */
public final class NativeLibraryError extends LinkageError {
  private static final long serialVersionUID = 1L;

  NativeLibraryError(String message) {
    super(message);
  }

  NativeLibraryError(String message, Throwable cause) {
    super(message, cause);
  }
}
