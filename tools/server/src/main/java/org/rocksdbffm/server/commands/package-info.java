/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** The commands of the value server, and their replies. */
package org.rocksdbffm.server.commands;
