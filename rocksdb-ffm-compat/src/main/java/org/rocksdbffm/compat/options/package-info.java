/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/**
 * Options: making and copying them, setting and getting what the C API has no function for, parsing them from text, and
 * changing those of an open database.
 */
package org.rocksdbffm.compat.options;
