/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** Databases with transactions: opening them, and reads and writes of keys within a transaction. */
package org.rocksdbffm.compat.transactions;
