/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/** A store as programs have it: some families of one database, behind the few calls that the programs make. */
package org.rocksdbffm.jmh.programs.store;
