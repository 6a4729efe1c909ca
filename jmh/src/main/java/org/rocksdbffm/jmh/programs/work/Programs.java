/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.work;

/** Creates programs by name. */
public final class Programs {
  public static final String RAFT_LOG = "raft-log";
  public static final String LEDGER = "ledger";
  public static final String WORKFLOW_ENGINE = "workflow-engine";
  public static final String UPSERTS = "upserts";
  public static final String SHORT_ITERATORS = "short-iterators";
  public static final String SEEK_AND_CLOSE = "seek-and-close";
  public static final String TWENTY_CALL_SITES = "twenty-call-sites";
  public static final String READERS_AND_WRITER = "readers-and-writer";
  public static final String SCANS_FORWARD = "scans-forward";
  public static final String SCANS_BACKWARD = "scans-backward";
  public static final String MIXED_LOAD = "mixed-load";

  private Programs() {}

  public static StoreProgram named(String name) {
    return switch (name) {
      case RAFT_LOG -> new RaftLog();
      case LEDGER -> new LedgerProgram();
      case WORKFLOW_ENGINE -> new WorkflowEngine();
      case UPSERTS -> new Upserts();
      case SHORT_ITERATORS -> new ShortIterators();
      case SEEK_AND_CLOSE -> new SeekAndClose();
      case TWENTY_CALL_SITES -> new TwentyCallSites();
      case READERS_AND_WRITER -> new ReadersAndWriter();
      case SCANS_FORWARD -> new FullScans(false);
      case SCANS_BACKWARD -> new FullScans(true);
      case MIXED_LOAD -> new MixedLoad();
      default -> throw new IllegalArgumentException("There is no program " + name);
    };
  }
}
