/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/**
 * A database that follows another one over a socket. The primary sends its log batch by batch from where the engine has
 * it, and the follower writes each batch as it is. So both count their writes alike, and the number of the follower's last
 * write says what it has: nothing else is kept. Where the log has a gap, or the follower has nothing yet, it is sent a
 * checkpoint. Either side may be killed at any moment.
 */
package org.rocksdbffm.examples.follower;
