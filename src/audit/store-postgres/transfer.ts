import { randomUUID } from 'node:crypto';
import type { Act } from '#validators/audit';
import type { AuditLine } from '../../base/audit.js';
import { type PostgresRecords, tableRecords } from '../../storage/postgres/records.js';
import { valuesOf } from '../../storage/postgres/sql.js';
import { actRow, lineRow } from './audit-rows.js';

/** The audit in its tables. An act that is brought here is nobody's: it is given to the next one who recovers. */
export const postgresAuditRecords: readonly PostgresRecords[] = [
  {
    ...tableRecords<{ record: AuditLine }, AuditLine>({
      kind: 'audit',
      table: 'msgsite.audit',
      select: (sql) => sql`
        select record from msgsite.audit order by happened_at, id collate "C"`,
      toRecord: ({ record }) => record,
      toRow: lineRow,
    }),
    // A line that was written again after a crash may come twice from files.
    async insert(sql, lines) {
      if (lines.length === 0) return;
      const rows = (lines as readonly AuditLine[]).map((line) => lineRow(line));
      await sql`insert into msgsite.audit ${valuesOf(rows)} on conflict (id) do nothing`;
    },
  },
  tableRecords<Act, Act>({
    kind: 'pending-act',
    table: 'msgsite.pending_acts',
    select: (sql) => sql`
      select id, record from msgsite.pending_acts order by id collate "C"`,
    toRecord: ({ id, record }) => ({ id, record }),
    toRow: (act) => actRow(act, { worker: null, token: randomUUID() }),
  }),
];
