/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.internal.loader;

/**
 * A native jar on the module path. Since its module provides this and the core uses it, it is resolved with the core and
 * nobody has to name it; the class that implements this tells the class loader that has the libraries.
 */
public interface NativeModule {}
