import { Act as isAct, Line as isLine } from '#validators/audit';
import type { ActUnderWay, AuditKind, AuditLine, AuditLog, PendingAct } from '../base/audit.js';
import type { MoneyClock } from '../base/money-clock.js';
import { checkBy, compareTexts, type RecordKind, rising } from '../base/records.js';

/** Which lines are meant; all of them by default. */
export interface AuditQuery {
  /** Milliseconds since the epoch; a line of this time is one of them. */
  readonly since?: number | undefined;
  /** Milliseconds since the epoch; a line of this time is not one of them. */
  readonly until?: number | undefined;
  readonly kinds?: readonly AuditKind[] | undefined;
}

/** Milliseconds for which a line is kept: a year and a month, as long as a year's accounts are looked into. */
export const auditLife = 400 * 86_400_000;

/** Reads what was written down. */
export interface AuditReader {
  /** Lines, their times rising, each act once; with memory for part of what is stored. */
  read(query?: AuditQuery): AsyncIterable<AuditLine>;
  /** Returns the acts under way in any process. */
  pending(): Promise<readonly ActUnderWay[]>;
  /** Returns whether a process died before it ended an act. */
  hasAbandoned(): Promise<boolean>;
}

/** Where acts are written down, shared by every process that uses the storage. */
export interface AuditStore extends AuditLog, AuditReader {
  /** Removes lines from before a time; some may stay for a while. */
  removeBefore(time: number): Promise<void>;
  /** Finishes what is under way. Acts that were begun and not ended are given to another process. */
  close(): Promise<void>;
}

/** Removes lines older than the audit's retention. */
export async function removeOldLines(
  store: Pick<AuditStore, 'removeBefore'>,
  deletionTime: MoneyClock['deletionTime'],
): Promise<void> {
  const now = await deletionTime();
  if (now !== undefined) await store.removeBefore(now - auditLife);
}

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
