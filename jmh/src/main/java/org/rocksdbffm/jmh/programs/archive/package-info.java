/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** What an archive sends and costs, and how virtual threads should read data that is not in memory. */
package org.rocksdbffm.jmh.programs.archive;
