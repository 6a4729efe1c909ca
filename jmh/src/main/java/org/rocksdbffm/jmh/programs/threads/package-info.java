/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** Measurements of threads that must not wait for the disk: virtual threads and event loops. */
package org.rocksdbffm.jmh.programs.threads;
