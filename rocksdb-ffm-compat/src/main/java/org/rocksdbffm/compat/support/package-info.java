/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/**
 * Conversions for the other packages: arguments, slices, strings and buffers to C, and error messages to exceptions.
 * Also the native memory of a call, and checks of arguments and options.
 */
package org.rocksdbffm.compat.support;
