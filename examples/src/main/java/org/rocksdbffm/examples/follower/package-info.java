/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/**
 * Replicates a database to a follower over a socket. The primary sends its WAL, batch by batch, from the engine's
 * memory, and the follower writes each batch unchanged. So both have the same sequence numbers, and the follower's last
 * one shows which writes it has; no other state is stored. If the WAL has a gap, or the follower is empty, the primary
 * sends a checkpoint. Either process may be killed at any time.
 */
package org.rocksdbffm.examples.follower;
