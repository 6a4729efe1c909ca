/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.folder;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.rocksdbffm.internal.options.MergeOperatorName;

/**
 * The settings that a column family is to be opened with, as far as they can lose rows.
 *
 * @param name the family's
 * @param settings options by the engine's names
 * @param mergingInJava what code in Java that merges calls itself; null for none
 * @param isOrderedInJava whether code in Java compares keys
 * @param replaced names of options whose stored value is replaced on purpose
 */
public record FamilySettings(
    String name, Map<String, String> settings, String mergingInJava, boolean isOrderedInJava, Set<String> replaced) {

  /** These with those of the database as a whole. */
  public FamilySettings inDatabase(Map<String, String> ofDatabase, Set<String> replacedInDatabase) {
    Map<String, String> all = new HashMap<>(settings);
    all.putAll(ofDatabase);
    Set<String> allReplaced = new HashSet<>(replaced);
    allReplaced.addAll(replacedInDatabase);
    return new FamilySettings(name, all, mergingInJava, isOrderedInJava, allReplaced);
  }

  MergeOperatorName mergeOperator() {
    return mergingInJava != null
        ? new MergeOperatorName(mergingInJava, null)
        : MergeOperatorName.set(settings.get(StoredDatabase.MERGE_OPERATOR));
  }

  boolean replaces(String option) {
    return replaced.contains(option);
  }
}
