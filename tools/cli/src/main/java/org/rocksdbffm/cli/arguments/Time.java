/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.arguments;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads points in time, such as {@code 2026-05-31T09:00:00Z}. */
public final class Time implements ITypeConverter<Instant> {
  @Override
  public Instant convert(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException e) {
      throw new TypeConversionException(
          "'" + text + "' is no time: write 2026-05-31T09:00:00Z, or +02:00 instead of Z for a time zone");
    }
  }
}
