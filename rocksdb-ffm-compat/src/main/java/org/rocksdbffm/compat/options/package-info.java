/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/**
 * Options: creation and copies, options for which the C API has no function, parsing, and changes of an open database's
 * options.
 */
package org.rocksdbffm.compat.options;
