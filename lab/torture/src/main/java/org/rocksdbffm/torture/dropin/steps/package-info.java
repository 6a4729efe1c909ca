/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** A case of the fuzzer: steps and values, their text form in a log, and minimization. */
package org.rocksdbffm.torture.dropin.steps;
