/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/**
 * The databases to which objects belong: column families and batches, and the refusal of objects of other databases.
 */
package org.rocksdbffm.compat.membership;
