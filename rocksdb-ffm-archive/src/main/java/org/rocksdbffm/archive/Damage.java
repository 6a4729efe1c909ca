/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import java.io.IOException;

/** Thrown if an object of an archive is missing, or has a wrong content. */
public final class Damage extends IOException {
  private static final long serialVersionUID = 1;

  /** The name of the damaged object. */
  private final String object;

  Damage(String object, String what) {
    super(object + " of the archive is damaged: " + what);
    this.object = object;
  }

  /**
   * Returns the name of the object.
   *
   * @return its name in the store
   */
  public String object() {
    return object;
  }
}
