/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/** The stores of programs: column families of a database, with the few calls that the programs make. */
package org.rocksdbffm.jmh.programs.store;
