import { type PostgresRecords, streamRows } from '../../storage/postgres/records.js';
import { type Delivery, deliveryStates } from '../delivery.js';
import { columnsOf } from './open.js';

/** Deliveries in their table. */
export const postgresDeliveryRecords: readonly PostgresRecords[] = [
  {
    kind: 'delivery',
    read: (sql) =>
      streamRows(
        sql<{ record: Delivery }[]>`
          select record from msgsite.deliveries
          order by array_position(${[...deliveryStates]}::text[], state),
            case when state <> 'pending' then (listed_at at time zone 'UTC')::date end,
            id collate "C"`,
        ({ record }) => record,
      ),
    async insert(sql, records) {
      const rows = (records as readonly Delivery[]).map((delivery) => ({
        id: delivery.id,
        ...columnsOf(sql, delivery),
      }));
      await sql`insert into msgsite.deliveries ${sql(rows)}`;
    },
  },
];
