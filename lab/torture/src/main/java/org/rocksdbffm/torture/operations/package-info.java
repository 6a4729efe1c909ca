/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/**
 * The operations of clients, by subject: each calls public methods, and compares the results with the model.
 */
package org.rocksdbffm.torture.operations;
