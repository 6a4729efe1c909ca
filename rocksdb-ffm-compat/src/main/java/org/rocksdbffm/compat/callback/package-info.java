/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** The program's callbacks while the engine calls them: comparators, and the exceptions and restrictions of all. */
package org.rocksdbffm.compat.callback;
