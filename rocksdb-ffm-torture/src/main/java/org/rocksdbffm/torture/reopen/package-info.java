/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/** A program that opens databases with ever other settings, and holds what they have against a model. */
package org.rocksdbffm.torture.reopen;
