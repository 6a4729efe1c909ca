/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** Commands that run until they are interrupted: a monitor of a process, and a shell. */
package org.rocksdbffm.cli.live;
