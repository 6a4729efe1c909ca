/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.internal.loader;

/** The native library cannot be used. The message says why and what to do about it. */
public final class NativeLibraryError extends UnsatisfiedLinkError {
  private static final long serialVersionUID = 1L;

  private final boolean ofPlace;

  NativeLibraryError(String message) {
    this(message, null);
  }

  NativeLibraryError(String message, Throwable cause) {
    this(message, cause, false);
  }

  private NativeLibraryError(String message, Throwable cause, boolean ofPlace) {
    super(message);
    initCause(cause);
    this.ofPlace = ofPlace;
  }

  /** Returns an error of the folder or memory that would store the library: another one may work. */
  static NativeLibraryError ofPlace(String message, Throwable cause) {
    return new NativeLibraryError(message, cause, true);
  }

  boolean isOfPlace() {
    return ofPlace;
  }
}
