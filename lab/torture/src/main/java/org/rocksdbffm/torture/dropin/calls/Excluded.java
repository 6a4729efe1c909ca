/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.dropin.calls;

import java.util.List;
import java.util.regex.Pattern;

/**
 * The members that are never called, or never with certain numbers, each with the reason. The page on reliability has
 * the same list.
 */
public final class Excluded {
  private record Rule(Pattern member, String reason) {}

  /** Numbers that a parameter of a member must not get: an interval. The receiver is the first parameter. */
  private record Range(Pattern member, int parameter, double from, double to, String reason) {
    boolean has(Object argument) {
      return argument instanceof Number number && number.doubleValue() > from && number.doubleValue() < to;
    }
  }

  private static final List<Rule> MEMBERS =
      List.of(
          never("RocksMutableObject\\.(re)?set(Native)*Handle.*", "takes a raw pointer of its caller's"),
          never("TransactionLogIterator\\$BatchResult\\(.*", "takes a raw pointer of its caller's"),
          never("NativeComparatorWrapper.*", "its subclass gives a raw pointer of its own"),
          never("(AbstractNativeReference|RocksObject|RocksCallbackObject)\\(.*",
              "takes a raw pointer of its caller's"),
          never(
              "StatisticsCollector\\.(start|shutDown)\\(.*", "starts a thread of its own that its caller stops"));

  private static final String SLOW = "what is limited to less than a mebibyte a second takes long, as it is asked to";
  private static final String WAITS = "waits for as long as it is asked to";
  private static final double MEBIBYTE = 1 << 20;

  private static final List<Range> NUMBERS =
      List.of(
          slow("RateLimiter\\(.*", 0),
          slow("RateLimiter\\.setBytesPerSecond.*", 1),
          slow("BackupEngineOptions\\.set(Backup|Restore)RateLimit\\(.*", 1),
          slow(".*\\.setDelayedWriteRate\\(.*", 1),
          slow("SstFileManager\\.setDeleteRateBytesPerSecond.*", 1),
          slow("SstFileManager\\(.*", 2),
          new Range(Pattern.compile("HyperClockCache\\(.*"), 0, 1 << 30, Double.MAX_VALUE, "takes gibibytes at once"),
          new Range(Pattern.compile(".*\\.set\\w*LockTimeout.*"), 1, -Double.MAX_VALUE, 0, WAITS),
          new Range(Pattern.compile("(RateLimiter\\.request|.*\\.set\\w*LockTimeout).*"), 1, 1000, Double.MAX_VALUE,
              WAITS));

  private Excluded() {}

  private static Rule never(String member, String reason) {
    return new Rule(Pattern.compile(member), reason);
  }

  private static Range slow(String member, int parameter) {
    return new Range(Pattern.compile(member), parameter, 0, MEBIBYTE, SLOW);
  }

  /** Returns why a member is never called; null if it is called. */
  static String reason(ApiMember member) {
    return MEMBERS.stream()
        .filter(rule -> rule.member.matcher(member.key()).matches())
        .map(Rule::reason)
        .findFirst()
        .orElse(null);
  }

  /** Returns why a call is not made with these arguments; null if it is made. */
  static String reason(ApiMember member, Object[] arguments) {
    for (Range range : NUMBERS) {
      if (range.member.matcher(member.key()).matches()
          && range.parameter < arguments.length
          && range.has(arguments[range.parameter])) {
        return range.reason;
      }
    }
    return null;
  }
}
