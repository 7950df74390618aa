import type { Act } from '#validators/audit';
import type { AuditLine, PendingAct } from '../../base/audit.js';
import { json } from '../../storage/postgres/sql.js';

/** A line with the columns by which it is found. */
export function lineRow(line: AuditLine) {
  const { id, time, kind } = line;
  return { id, happenedAt: new Date(time), kind, record: json(line) };
}

/** Whose an act is. */
export interface ActOwner {
  /** Null where it is nobody's. */
  readonly worker: string | null;
  /** Tells one beginning from a later one under the same id. */
  readonly token: string;
}

/** What is kept of an act under way. */
export function actRow({ id, record }: PendingAct | Act, owner: ActOwner) {
  return { id, ...owner, record: json(record) };
}
