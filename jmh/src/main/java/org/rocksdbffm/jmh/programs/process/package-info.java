/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/** The process in which one program runs once on one engine, and what it tells of itself. */
package org.rocksdbffm.jmh.programs.process;
