/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** The work of members that older releases of rocksdbjni had, and that the published one has not. */
package org.rocksdbffm.compat.older;
