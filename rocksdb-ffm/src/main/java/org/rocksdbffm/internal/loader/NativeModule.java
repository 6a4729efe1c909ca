/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.internal.loader;

/**
 * A native jar on the module path. Its module provides this service and the core uses it, so it is resolved with the
 * core without being named. The implementing class leads to the class loader with the libraries.
 */
public interface NativeModule {}
