/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.firstuse;

/** A class in the last jar of the class path, which is not opened before {@link FirstUseCase} uses this class. */
final class LastOnClassPath {
  private LastOnClassPath() {}
}
