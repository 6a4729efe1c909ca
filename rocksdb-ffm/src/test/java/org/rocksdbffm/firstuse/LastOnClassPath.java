/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.firstuse;

/** A class of the last jar of a class path, which nothing opens before {@link FirstUseCase} asks for this. */
final class LastOnClassPath {
  private LastOnClassPath() {}
}
