/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.support;

/** A class with methods that the engine calls: the outermost of a stack says whether its thread is one of the engine's. */
public interface EngineEntry {}
