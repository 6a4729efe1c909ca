/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** Values of the database as buffers of Netty, without a copy; keys and values of Netty's buffers into the database. */
package org.rocksdbffm.netty;
