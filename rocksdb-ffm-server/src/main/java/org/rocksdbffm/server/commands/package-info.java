/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** The commands of the value server: one request with its keys, and the answers. */
package org.rocksdbffm.server.commands;
