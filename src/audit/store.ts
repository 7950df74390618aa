import { Act as isAct, Line as isLine } from '#validators/audit';
import type { ActUnderWay, AuditKind, AuditLine, AuditLog, PendingAct } from '../base/audit.js';
import type { MoneyClock } from '../base/money-clock.js';
import { checkBy, compareTexts, type RecordKind, rising } from '../base/records.js';

/** Selects lines of the audit; all by default. */
export interface AuditQuery {
  /** The first time, in milliseconds since the epoch, inclusive. */
  readonly since?: number | undefined;
  /** The end of the period, in milliseconds since the epoch, exclusive. */
  readonly until?: number | undefined;
  readonly kinds?: readonly AuditKind[] | undefined;
}

/** Milliseconds for which a line is kept: a year and a month, so that a year's accounts can be audited. */
export const auditLife = 400 * 86_400_000;

/** Reads the audit. */
export interface AuditReader {
  /** Yields lines in order of time, each act once. Memory holds only a part of them. */
  read(query?: AuditQuery): AsyncIterable<AuditLine>;
  /** Returns the acts under way in any process. */
  pending(): Promise<readonly ActUnderWay[]>;
  /** Returns whether a process died before it ended an act. */
  hasAbandoned(): Promise<boolean>;
}

/** Stores the audit for every process that uses the storage. */
export interface AuditStore extends AuditLog, AuditReader {
  /** Removes lines from before a time; some may remain for a while. */
  removeBefore(time: number): Promise<void>;
  /** Finishes pending writes. Unfinished acts are left to another process. */
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
 * Returns the kinds of records of the audit. They include acts under way, which a process that opens the target
 * recovers as if their process had died.
 */
export function auditKinds(): readonly RecordKind[] {
  return [
    { name: 'audit', check: checkBy<AuditLine>(isLine, rising(compareLines)) },
    { name: 'pending-act', check: checkBy<PendingAct>(isAct, rising(compareActs)) },
  ];
}

/** Orders lines by time, then by ID. */
export function compareLines(a: AuditLine, b: AuditLine): number {
  return a.time - b.time || compareTexts(a.id, b.id);
}

export function compareActs(a: PendingAct, b: PendingAct): number {
  return compareTexts(a.id, b.id);
}
