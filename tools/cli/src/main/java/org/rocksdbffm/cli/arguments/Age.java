/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.arguments;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads ages with a unit, such as {@code 12h}. */
public final class Age implements ITypeConverter<Duration> {
  private static final Map<String, ChronoUnit> UNITS =
      Map.of("s", ChronoUnit.SECONDS, "m", ChronoUnit.MINUTES, "h", ChronoUnit.HOURS, "d", ChronoUnit.DAYS);
  private static final Pattern FORM = Pattern.compile("(\\d{1,6})([smhd])");

  @Override
  public Duration convert(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new TypeConversionException("'" + text + "' is no age: write 90s, 30m, 12h or 7d");
    }
    return Duration.of(Long.parseLong(form.group(1)), UNITS.get(form.group(2)));
  }
}
