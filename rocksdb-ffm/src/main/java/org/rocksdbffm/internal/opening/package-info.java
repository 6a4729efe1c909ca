/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** Opens databases step by step, and lists the column families of a folder. */
package org.rocksdbffm.internal.opening;
