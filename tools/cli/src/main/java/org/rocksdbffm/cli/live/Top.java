/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.live;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.management.jfr.RemoteRecordingStream;
import org.rocksdbffm.cli.frame.Command;
import org.rocksdbffm.cli.frame.ExitCode;
import org.rocksdbffm.cli.frame.Output;
import org.rocksdbffm.cli.frame.RowPrinter;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints what the databases of a running program report to its Flight Recorder, second by second. */
@CommandLine.Command(
    name = "top",
    description =
        "Prints what the databases of a running program report: slow operations, stalls, leaks, live objects.")
public final class Top extends Command {
  private static final String OWN = "org.rocksdbffm.";
  private static final List<String> EVENTS = List.of(
      "DatabaseOpened",
      "DatabaseClosed",
      "SlowOperation",
      "LockWait",
      "WriteStall",
      "DiskFull",
      "WritesResumed",
      "TransactionConflict",
      "TransactionEnded",
      "PinHeld",
      "Leak",
      "LiveObjects");
  private static final List<String> SUBJECTS = List.of("database", "transaction", "kind", "object", "pinned");

  @Parameters(paramLabel = "PID", description = "of a JVM of the same user")
  private String pid;

  @Option(names = {"-n", "--limit"}, paramLabel = "SECONDS", description = "end after so many")
  private long limit = Long.MAX_VALUE;

  private final Map<String, Sum> sums = new TreeMap<>();

  /** The sum of an event's values for one subject in a second. */
  private static final class Sum {
    private final String event;
    private final String of;
    private long count;
    private Duration longest = Duration.ZERO;
    private Object latest;

    private Sum(String event, String of) {
      this.event = event;
      this.of = of;
    }
  }

  @Override
  protected ExitCode run(Output out) throws Exception {
    try (JMXConnector connector = JMXConnectorFactory.connect(new JMXServiceURL(agent()));
        RemoteRecordingStream stream = new RemoteRecordingStream(connector.getMBeanServerConnection());
        RowPrinter table = out.live("time", "event", "count", "longest ms", "latest", "of")) {
      for (String event : EVENTS) {
        stream.enable(OWN + event);
        stream.onEvent(OWN + event, this::add);
      }
      CompletableFuture<Void> ended = new CompletableFuture<>();
      stream.onFlush(() -> {
        print(table);
        if (--limit <= 0) {
          ended.complete(null);
        }
      });
      stream.onError(ended::completeExceptionally);
      stream.onClose(() -> ended.complete(null)); // when the process ends
      stream.startAsync();
      ended.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
    return ExitCode.DONE;
  }

  private String agent() throws IOException {
    try {
      VirtualMachine machine = VirtualMachine.attach(pid);
      try {
        return machine.startLocalManagementAgent();
      } finally {
        machine.detach();
      }
    } catch (AttachNotSupportedException e) {
      throw new IOException("process " + pid + " is no JVM that lets this one in: " + e.getMessage(), e);
    }
  }

  private synchronized void add(RecordedEvent event) {
    String name = event.getEventType().getName().substring(OWN.length());
    String of = subject(event);
    Sum sum = sums.computeIfAbsent(name + ' ' + of, key -> new Sum(name, of));
    sum.count++;
    if (event.hasField("elapsed") && event.getDuration("elapsed").compareTo(sum.longest) > 0) {
      sum.longest = event.getDuration("elapsed");
    }
    for (String figure : List.of("delayedRate", "count")) {
      sum.latest = event.hasField(figure) ? event.getValue(figure) : sum.latest;
    }
  }

  private static String subject(RecordedEvent event) {
    for (String field : SUBJECTS) {
      if (event.hasField(field)) {
        return event.getString(field);
      }
    }
    if (event.getStackTrace() != null) {
      for (RecordedFrame frame : event.getStackTrace().getFrames()) {
        if (frame.isJavaFrame() && !frame.getMethod().getType().getName().startsWith(OWN)) {
          return frame.getMethod().getType().getName() + '.' + frame.getMethod()
              .getName() + ':' + frame.getLineNumber();
        }
      }
    }
    return null;
  }

  private synchronized void print(RowPrinter table) {
    OffsetDateTime now = OffsetDateTime.now();
    for (Sum sum : sums.values()) {
      Double longest = sum.longest.isZero() ? null : sum.longest.toNanos() / 1e6;
      table.row(now, sum.event, sum.count, longest, sum.latest, sum.of);
    }
    sums.clear();
  }
}
