/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/**
 * The steps of hostile clients, by subject: each calls public methods and holds the answers against the model.
 */
package org.rocksdbffm.torture.operations;
