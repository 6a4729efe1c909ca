/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** Measurements of the requests and the costs of an archive, and of reads of virtual threads from the disk. */
package org.rocksdbffm.jmh.programs.archive;
