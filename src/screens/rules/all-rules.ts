import { advisedCount } from './advised-count.js';
import { advisedSentences } from './advised-sentences.js';
import { advisedWords } from './advised-words.js';
import { aiAnswer } from './ai-answer.js';
import { bannerAction } from './banner-action.js';
import { breakdownPayload } from './breakdown-payload.js';
import { cellValue } from './cell-value.js';
import { chartSource } from './chart-source.js';
import { columnWidth } from './column-width.js';
import { compareSameField } from './compare-same-field.js';
import { currentStep } from './current-step.js';
import { dashboardMetric } from './dashboard-metric.js';
import { deprecatedProperty } from './deprecated-property.js';
import { duplicateColumn } from './duplicate-column.js';
import { emptyText } from './empty-text.js';
import { fragmentChange } from './fragment-change.js';
import { idleBlock } from './idle-block.js';
import { invalidDate } from './invalid-date.js';
import { invisibleCharacter } from './invisible-character.js';
import { layoutConflict } from './layout-conflict.js';
import { managementMetric } from './management-metric.js';
import { mapLine } from './map-line.js';
import { missingArchetypeBlock } from './missing-archetype-block.js';
import { navDocuments } from './nav-documents.js';
import { navGroupSplit } from './nav-group-split.js';
import { notANumber } from './not-a-number.js';
import type { Rule } from './rule.js';
import { searchShortcut } from './search-shortcut.js';
import { sectionPayload } from './section-payload.js';
import { statusColumn } from './status-column.js';
import { timelineCurrent } from './timeline-current.js';
import { undrawableValue } from './undrawable-value.js';
import { unknownArchetype } from './unknown-archetype.js';
import { unknownField } from './unknown-field.js';
import { unknownProperty } from './unknown-property.js';
import { cellStatus, mapStatus, scenarioStatus } from './unknown-status.js';
import { unsafeKey } from './unsafe-key.js';
import { unusedRowField } from './unused-row-field.js';

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
