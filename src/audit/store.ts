import { Act as isAct, Line as isLine } from '#validators/audit';
import type { ActUnderWay, AuditKind, AuditLine, AuditLog, PendingAct } from '../base/audit.js';
import type { MoneyClock } from '../base/money-clock.js';
import { checkBy, compareTexts, type RecordKind, rising } from '../base/records.js';

/** Selects entries of the audit log; all by default. */
export interface AuditQuery {
  /** Start of the period, in milliseconds since the epoch, inclusive. */
  readonly since?: number | undefined;
  /** End of the period, in milliseconds since the epoch, exclusive. */
  readonly until?: number | undefined;
  readonly kinds?: readonly AuditKind[] | undefined;
}

/**
 * Time for which an entry is kept, in milliseconds. It is longer than a year, so that a year's accounts can be audited.
 */
export const auditLife = 400 * 86_400_000;

/** Reads the audit log. */
export interface AuditReader {
  /** Yields entries in order of time, each action once. Only some of them are in memory at a time. */
  read(query?: AuditQuery): AsyncIterable<AuditLine>;
  /** Returns the pending actions of all processes. */
  pending(): Promise<readonly ActUnderWay[]>;
  /** Returns whether a process died before it ended an action. */
  hasAbandoned(): Promise<boolean>;
}

/** Stores the audit log for all processes that use the storage. */
export interface AuditStore extends AuditLog, AuditReader {
  /** Removes entries from before a time. Some may remain for a while. */
  removeBefore(time: number): Promise<void>;
  /** Finishes pending writes. Unfinished actions are left for another process to recover. */
  close(): Promise<void>;
}

/** Removes entries that are older than `auditLife`. */
export async function removeOldLines(
  store: Pick<AuditStore, 'removeBefore'>,
  deletionTime: MoneyClock['deletionTime'],
): Promise<void> {
  const now = await deletionTime();
  if (now !== undefined) await store.removeBefore(now - auditLife);
}

/**
 * Returns the kinds of records of the audit log. They include pending actions. A process that opens the imported data
 * recovers them as if their process had died.
 */
export function auditKinds(): readonly RecordKind[] {
  return [
    { name: 'audit', check: checkBy<AuditLine>(isLine, rising(compareLines)) },
    { name: 'pending-act', check: checkBy<PendingAct>(isAct, rising(compareActs)) },
  ];
}

/** Compares entries by time, then by ID. */
export function compareLines(a: AuditLine, b: AuditLine): number {
  return a.time - b.time || compareTexts(a.id, b.id);
}

export function compareActs(a: PendingAct, b: PendingAct): number {
  return compareTexts(a.id, b.id);
}
