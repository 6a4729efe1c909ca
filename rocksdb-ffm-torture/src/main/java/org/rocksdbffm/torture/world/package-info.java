/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/**
 * The world of a case: clients, the databases that they share with everything made of these, open or closed, and the
 * model that answers are held against.
 */
package org.rocksdbffm.torture.world;
