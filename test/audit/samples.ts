import type { AuditLine, PendingAct } from '../../src/base/audit.js';

/** Returns the audit log entry of a QR payment of 100.5 tenge in the minute `number`. */
export function auditLine(number: number, changes: Partial<AuditLine> = {}): AuditLine {
  return {
    id: `line-${String(number).padStart(6, '0')}`,
    time: 1_000_000 + number * 60_000,
    kind: 'qr',
    who: '7701***4567',
    amount: 100.5,
    ids: { payment: `1-qr-${number}` },
    outcome: 'success',
    ...changes,
  };
}

export const act = (id: string): PendingAct => ({ id, record: { amount: 5, of: [id] } });
