/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/**
 * Calls in flight: each announces the database, family and snapshot it uses in a slot of a process-wide table, and a
 * close waits until no slot names the object to be destroyed. Also converts the engine's errors to exceptions.
 */
package org.rocksdbffm.internal.call;
