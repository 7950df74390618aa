import { Act as isAct, Line as isLine } from '#validators/audit';
import type { AuditLine, PendingAct } from '../base/audit.js';
import { checkBy, compareTexts, type RecordKind, rising } from '../base/records.js';

/**
 * What the audit puts into an export. Acts under way are part of it: whoever opens the storage that they
 * are brought to is given them as if their process had died.
 */
export function auditKinds(): readonly RecordKind[] {
  return [
    { name: 'audit', check: checkBy<AuditLine>(isLine, rising(compareLines)) },
    { name: 'pending-act', check: checkBy<PendingAct>(isAct, rising(compareActs)) },
  ];
}

/** By time; what happened at the same time by id. */
export function compareLines(a: AuditLine, b: AuditLine): number {
  return a.time - b.time || compareTexts(a.id, b.id);
}

export function compareActs(a: PendingAct, b: PendingAct): number {
  return compareTexts(a.id, b.id);
}
