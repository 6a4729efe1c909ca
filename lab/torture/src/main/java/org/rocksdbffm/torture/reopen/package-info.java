/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/** A program that opens databases with changing settings, and compares their rows with a model. */
package org.rocksdbffm.torture.reopen;
