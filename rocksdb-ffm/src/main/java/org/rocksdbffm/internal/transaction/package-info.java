/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** Transactions and indexed batches: uncommitted writes that reads through them include. */
package org.rocksdbffm.internal.transaction;
