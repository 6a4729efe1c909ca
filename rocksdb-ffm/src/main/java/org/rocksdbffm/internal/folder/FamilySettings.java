/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.folder;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.rocksdbffm.internal.options.MergeOperatorName;

/**
 * The settings of a column family that is to be opened: only the settings that can cause lost rows.
 *
 * @param name the name of the family
 * @param settings options by the engine's names
 * @param mergingInJava the name of the Java merge operator; null for none
 * @param isOrderedInJava whether there is a Java comparator
 * @param replaced names of options whose stored value is replaced intentionally
 */
public record FamilySettings(
    String name, Map<String, String> settings, String mergingInJava, boolean isOrderedInJava, Set<String> replaced) {

  /** Returns these settings with the database options added. */
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
