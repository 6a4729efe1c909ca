/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.codec;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;

/** Key encodings of times: the whole units in eight bytes, then the fraction of a unit in four or eight. */
public final class Times {
  private static final KeyForm<Long> UNITS = Numbers.signed(Long.BYTES);
  private static final KeyForm<Long> NANOS = Numbers.unsigned(Integer.BYTES);

  private Times() {}

  /** Builds a time from its two decoded numbers. */
  private interface Make<T> {
    T of(long units, long rest);
  }

  private static <T> T made(Make<T> make, long units, long rest) {
    try {
      return make.of(units, rest);
    } catch (DateTimeException | ArithmeticException e) {
      throw new IllegalArgumentException("bytes: it has no time that there is: " + e.getMessage(), e);
    }
  }

  public static KeyForm<Instant> instant() {
    return Tuples.of(
        UNITS, Instant::getEpochSecond, NANOS, time -> (long) time.getNano(), (s, n) -> made(Times::instant, s, n));
  }

  private static Instant instant(long seconds, long nanos) {
    return Instant.ofEpochSecond(seconds, withinSecond(nanos));
  }

  public static KeyForm<Duration> duration() {
    return Tuples.of(
        UNITS, Duration::getSeconds, NANOS, time -> (long) time.getNano(), (s, n) -> made(Times::duration, s, n));
  }

  private static Duration duration(long seconds, long nanos) {
    return Duration.ofSeconds(seconds, withinSecond(nanos));
  }

  private static long withinSecond(long nanos) {
    if (nanos < 0 || nanos >= 1_000_000_000) {
      throw new DateTimeException(nanos + " nanoseconds in a second");
    }
    return nanos;
  }

  public static KeyForm<LocalDate> date() {
    return UNITS.map(LocalDate::toEpochDay, days -> made((units, rest) -> LocalDate.ofEpochDay(units), days, 0));
  }

  public static KeyForm<LocalDateTime> dateTime() {
    return Tuples.of(
        date(), LocalDateTime::toLocalDate,
        Numbers.signed(Long.BYTES), time -> time.toLocalTime().toNanoOfDay(),
        (day, nanos) -> made((units, rest) -> LocalDateTime.of(day, LocalTime.ofNanoOfDay(rest)), 0, nanos));
  }
}
