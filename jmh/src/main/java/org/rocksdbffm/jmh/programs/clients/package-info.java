/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/** {@code ./bench clients}: runs phases of real clients on rocksdbjni and on the drop-in alternately. */
package org.rocksdbffm.jmh.programs.clients;
