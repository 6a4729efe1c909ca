/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/**
 * A call in flight: it announces which database, family and snapshot it uses, in a slot of a table of the whole process,
 * and a close waits until no slot names what is to be destroyed. Failures of the engine become exceptions here.
 */
package org.rocksdbffm.internal.call;
