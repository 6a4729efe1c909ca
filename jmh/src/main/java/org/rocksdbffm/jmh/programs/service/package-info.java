/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/** A service with a limit to its memory, under load, to see whether it stays below it. */
package org.rocksdbffm.jmh.programs.service;
