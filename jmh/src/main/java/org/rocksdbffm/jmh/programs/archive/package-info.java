/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** Measurements of the requests and the costs of an archive. */
package org.rocksdbffm.jmh.programs.archive;
