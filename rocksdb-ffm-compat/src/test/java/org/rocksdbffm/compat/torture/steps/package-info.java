/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** A case of the fuzzer: steps with their values, as text, in a log, and made small. */
package org.rocksdbffm.compat.torture.steps;
