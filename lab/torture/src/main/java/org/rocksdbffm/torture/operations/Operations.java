/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.operations;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.rocksdbffm.torture.world.Operation;

/** All operations, by name and weight. */
public final class Operations {
  public static final List<Operation> ALL =
      Stream.of(
              DatabaseOperations.ALL,
              ServiceOperations.ALL,
              FileOperations.ALL,
              FolderOperations.ALL,
              FamilyOperations.ALL,
              EntityOperations.ALL,
              ReadOperations.ALL,
              WriteOperations.ALL,
              BatchOperations.ALL,
              RowOperations.ALL,
              PinOperations.ALL,
              HandOffOperations.ALL,
              ValueOperations.ALL,
              TypedOperations.ALL,
              CallbackOperations.ALL,
              TransactionOperations.ALL,
              TableOperations.ALL,
              UpkeepOperations.ALL)
          .flatMap(List::stream)
          .filter(operation -> operation.name().startsWith(System.getProperty("torture.only", "")))
          .toList();

  private static final Map<String, Operation> BY_NAME =
      ALL.stream().collect(Collectors.toMap(Operation::name, Function.identity()));

  private static final int WEIGHT = ALL.stream().mapToInt(Operation::weight).sum();

  private Operations() {}

  public static Operation named(String name) {
    Operation operation = BY_NAME.get(name);
    if (operation == null) {
      throw new IllegalArgumentException("there is no operation " + name);
    }
    return operation;
  }

  public static Operation choose(Random random) {
    int left = random.nextInt(WEIGHT);
    for (Operation operation : ALL) {
      left -= operation.weight();
      if (left < 0) {
        return operation;
      }
    }
    throw new AssertionError(left);
  }
}
