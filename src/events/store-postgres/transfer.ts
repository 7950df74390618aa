import type { ReceiverState } from '#validators/webhooks';
import { type PostgresRecords, tableRecords } from '../../storage/postgres/record-table.js';

import { type Delivery, deliveryStates } from '../delivery.js';
import type { StoredEvent } from '../event.js';
import { toRow } from './delivery-claims.js';
import { toEventRow, toReceiverRow } from './event-store.js';

/** Deliveries, events and receivers as records of an export. */
export const postgresDeliveryRecords: readonly PostgresRecords[] = [
  tableRecords<{ record: Delivery }, Delivery>({
    kind: 'delivery',
    table: 'msgsite.deliveries',
    select: (sql) => sql`
      select record from msgsite.deliveries
      order by array_position(${[...deliveryStates]}::text[], state),
        case when state <> 'pending' then (listed_at at time zone 'UTC')::date end,
        id collate "C"`,
    toRecord: ({ record }) => record,
    toRow,
  }),
  tableRecords<{ record: StoredEvent }, StoredEvent>({
    kind: 'webhook-event',
    table: 'msgsite.webhook_events',
    select: (sql) => sql`
      select record from msgsite.webhook_events
      order by (occurred_at at time zone 'UTC')::date, id collate "C"`,
    toRecord: ({ record }) => record,
    toRow: toEventRow,
  }),
  tableRecords<{ record: ReceiverState }, ReceiverState>({
    kind: 'webhook-receiver',
    table: 'msgsite.webhook_receivers',
    select: (sql) => sql`
      select record from msgsite.webhook_receivers order by id collate "C"`,
    toRecord: ({ record }) => record,
    toRow: toReceiverRow,
  }),
];
