import type { Act } from '#validators/audit';
import type { AuditLine, PendingAct } from '../../base/audit.js';
import { type AnySql, jsonParameter } from '../../storage/postgres/connect.js';

/** A line with the columns by which it is found. */
export function lineRow(line: AuditLine, sql: AnySql) {
  const { id, time, kind } = line;
  return { id, happenedAt: new Date(time), kind, record: jsonParameter(sql, line) };
}

/** What is kept of an act under way; `worker` is whose it is. */
export function actRow({ id, record }: PendingAct | Act, worker: string | null, sql: AnySql) {
  return { id, worker, record: jsonParameter(sql, record) };
}
