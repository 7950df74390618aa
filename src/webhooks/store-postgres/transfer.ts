import { type PostgresRecords, tableRecords } from '../../storage/postgres/records.js';
import { type Delivery, deliveryStates } from '../delivery.js';
import { toRow } from './delivery-rows.js';

/** Deliveries in their table. */
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
];
