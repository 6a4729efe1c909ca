/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/** The process in which a program runs once on an engine, and its measurements. */
package org.rocksdbffm.jmh.programs.process;
