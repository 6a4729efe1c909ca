/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/** JVMs with an engine each, which run by turns. */
package org.rocksdbffm.jmh.process;
