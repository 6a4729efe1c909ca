/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/**
 * The environment of a case: the clients, the databases and other objects that they share, open or closed, and the
 * model with which results are compared.
 */
package org.rocksdbffm.torture.world;
