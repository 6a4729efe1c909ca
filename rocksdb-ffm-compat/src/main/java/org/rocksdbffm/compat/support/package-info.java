/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/**
 * The conversions that the rest of the drop-in needs: arguments, slices, texts and buffers into C's form, and the
 * engine's messages into exceptions. Also the native memory of a call, and checks of arguments and settings before the
 * engine sees them.
 */
package org.rocksdbffm.compat.support;
