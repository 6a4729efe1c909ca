/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** Arguments that several commands share, and the opening of databases. */
package org.rocksdbffm.cli.arguments;
