/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.dropin;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.rocksdbffm.torture.dropin.calls.ApiMember;
import org.rocksdbffm.torture.dropin.calls.ApiMembers;
import org.rocksdbffm.torture.dropin.steps.StepLog;

/** Counts the calls, results and exceptions of each API member, from the logs of the child JVMs. Thread-safe. */
final class CallTally {
  private final Map<String, Map<String, Integer>> outcomes = new TreeMap<>();
  private int children;
  private int cases;
  private long calls;

  synchronized void add(List<String> log) {
    children++;
    Map<String, String> members = new HashMap<>();
    for (String line : log) {
      String[] words = line.split(" ", 4);
      if (line.startsWith(StepLog.CASE)) {
        cases++;
        members.clear();
      } else if (line.startsWith(StepLog.OUTCOME)) {
        String member = members.remove(words[1]);
        if (member != null && !words[2].equals(StepLog.SKIPPED)) {
          count(member, words[2]);
        }
      } else if (words.length >= 3 && !line.startsWith(StepLog.WROTE)) {
        members.put(words[1], words[2]);
      }
    }
    members.values().forEach(member -> count(member, "did not end"));
  }

  private void count(String member, String outcome) {
    calls++;
    outcomes.computeIfAbsent(member, each -> new TreeMap<>()).merge(outcome, 1, Integer::sum);
  }

  synchronized String summary() {
    List<String> never = new ArrayList<>();
    List<String> silent = new ArrayList<>();
    for (ApiMember member : ApiMembers.counted()) {
      Map<String, Integer> counts = outcomes.get(member.key());
      if (counts == null) {
        never.add(member.key());
      } else if (!counts.containsKey(StepLog.ANSWERED)) {
        silent.add(member.key());
      }
    }
    int all = ApiMembers.counted().size();
    return "%d JVMs, %d cases, %d calls; of %d methods %d were called and %d answered"
        .formatted(children, cases, calls, all, all - never.size(), all - never.size() - silent.size());
  }

  /** Returns one line for each method. */
  @Override
  public synchronized String toString() {
    StringBuilder text = new StringBuilder();
    for (ApiMember member : ApiMembers.counted()) {
      text.append(member.key()).append(' ').append(outcomes.getOrDefault(member.key(), Map.of())).append('\n');
    }
    return text.toString();
  }
}
