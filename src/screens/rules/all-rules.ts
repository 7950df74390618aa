import { advisedCount, advisedSentences, advisedWords } from './advice.js';
import {
  deprecatedProperty,
  idleBlock,
  layoutConflict,
  missingArchetypeBlock,
  unknownArchetype,
} from './archetype-rules.js';
import {
  aiAnswer,
  fragmentChange,
  mapLine,
  sectionPayload,
  timelineCurrent,
} from './block-rules.js';
import { cellValue, invalidDate, notANumber } from './cell-rules.js';
import { breakdownPayload, chartSource, dashboardMetric, undrawableValue } from './chart-rules.js';
import { columnWidth, duplicateColumn, unsafeKey } from './column-rules.js';
import { compareSameField, unknownField, unusedRowField } from './field-rules.js';
import { managementMetric } from './management-metric.js';
import {
  bannerAction,
  currentStep,
  navDocuments,
  navGroupSplit,
  searchShortcut,
} from './navigation-rules.js';
import type { Rule } from './rule.js';
import { cellStatus, mapStatus, scenarioStatus, statusColumn } from './status-rules.js';
import { emptyText, invisibleCharacter } from './text-rules.js';
import { unknownProperty } from './unknown-property.js';

/** Every lint rule. */
export const allRules: readonly Rule[] = [
  managementMetric,
  aiAnswer,
  bannerAction,
  breakdownPayload,
  cellStatus,
  cellValue,
  chartSource,
  columnWidth,
  compareSameField,
  currentStep,
  dashboardMetric,
  deprecatedProperty,
  duplicateColumn,
  emptyText,
  fragmentChange,
  invalidDate,
  invisibleCharacter,
  layoutConflict,
  mapLine,
  mapStatus,
  missingArchetypeBlock,
  navDocuments,
  navGroupSplit,
  notANumber,
  scenarioStatus,
  searchShortcut,
  sectionPayload,
  statusColumn,
  timelineCurrent,
  undrawableValue,
  unknownArchetype,
  unknownField,
  unknownProperty,
  unsafeKey,
  unusedRowField,
  advisedCount,
  advisedWords,
  advisedSentences,
  idleBlock,
];
