/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** Arguments that several commands have, and the opening of what they name. */
package org.rocksdbffm.cli.arguments;
