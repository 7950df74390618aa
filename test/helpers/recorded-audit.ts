import type { AuditLine, AuditLog, PendingAct } from '../../src/base/audit.js';

/** Returns an audit log in memory, with its lines and the actions in progress. */
export function recordAudit(): AuditLog & {
  readonly lines: AuditLine[];
  readonly open: Map<string, PendingAct>;
} {
  const lines: AuditLine[] = [];
  const open = new Map<string, PendingAct>();
  return {
    lines,
    open,
    async add(line) {
      lines.push(line);
    },
    async begin(act) {
      open.set(act.id, act);
    },
    async end({ id }, line) {
      open.delete(id);
      lines.push(line);
    },
    pending: async () => [...open.values()].map((act) => ({ ...act, holder: 'here' })),
    async recover() {},
  };
}
