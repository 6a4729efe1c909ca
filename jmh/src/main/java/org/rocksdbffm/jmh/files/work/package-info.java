/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/** The work that {@code ./bench files} measures, the same for all engines. */
package org.rocksdbffm.jmh.files.work;
