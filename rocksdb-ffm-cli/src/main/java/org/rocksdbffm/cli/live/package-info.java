/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** Commands that go on until they are interrupted: what a process does, and a shell. */
package org.rocksdbffm.cli.live;
