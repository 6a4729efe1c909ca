/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** Implementations of members that older releases of rocksdbjni had, and the current one has not. */
package org.rocksdbffm.compat.older;
