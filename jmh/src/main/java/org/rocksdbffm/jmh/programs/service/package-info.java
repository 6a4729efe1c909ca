/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/** Services with a memory limit, under load, to test whether they stay below it. */
package org.rocksdbffm.jmh.programs.service;
