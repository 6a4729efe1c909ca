/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** Transactions and indexed batches, through which the writes of a user are seen before the database has them. */
package org.rocksdbffm.internal.transaction;
