/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.torture;

import java.util.List;
import java.util.regex.Pattern;

/** What is not called, or not with some numbers, each with the reason. The page says the same. */
final class Excluded {
  private record Rule(Pattern member, String reason) {}

  /** Numbers, of any parameter of a member, that have to lie in a range. */
  private record Range(Pattern member, double least, double most, String reason) {}

  private static final List<Rule> MEMBERS =
      List.of(
          never("RocksMutableObject\\.(re)?set(Native)*Handle.*", "takes a raw pointer of its caller's"),
          never("TransactionLogIterator\\$BatchResult\\(.*", "takes a raw pointer of its caller's"),
          never("NativeComparatorWrapper.*", "its subclass gives a raw pointer of its own"),
          never("(AbstractNativeReference|RocksObject|RocksCallbackObject)\\(.*", "takes a raw pointer of its caller's"),
          never(
              "StatisticsCollector\\.(start|shutDown)\\(.*", "starts a thread of its own that its caller stops"));

  private static final String WAITS = "less is a rate at which a call waits for ever, as it is asked to";

  private static final List<Range> NUMBERS =
      List.of(
          range("RateLimiter\\.request.*", -1e30, 1000, "waits for as long as it is asked to"));

  private Excluded() {}

  private static Rule never(String member, String reason) {
    return new Rule(Pattern.compile(member), reason);
  }

  private static Range range(String member, double least, double most, String reason) {
    return new Range(Pattern.compile(member), least, most, reason);
  }

  /** Why a member is never called; null if it is. */
  static String reason(Member member) {
    return MEMBERS.stream()
        .filter(rule -> rule.member.matcher(member.key()).matches())
        .map(Rule::reason)
        .findFirst()
        .orElse(null);
  }

  /** Why a call is not made with these arguments; null if it is. */
  static String reason(Member member, Object[] arguments) {
    for (Range range : NUMBERS) {
      if (range.member.matcher(member.key()).matches()) {
        for (Object argument : arguments) {
          if (argument instanceof Number number
              && (number.doubleValue() < range.least || number.doubleValue() > range.most)) {
            return range.reason;
          }
        }
      }
    }
    return null;
  }
}
