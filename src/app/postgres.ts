import { postgresAuditRecords } from '../audit/store-postgres/transfer.js';
import { postgresMessagingRecords } from '../messaging/store-postgres/transfer.js';
import { postgresOrderRecords } from '../orders/store-postgres/transfer.js';
import { postgresPaymentRecords } from '../payments/store-postgres/transfer.js';
import { postgresImageRecords } from '../site/store-postgres/image-transfer.js';
import { postgresSiteRecords } from '../site/store-postgres/transfer.js';
import type { PostgresRecords } from '../storage/postgres/records.js';
import { postgresStateRecords } from '../storage/postgres/state-store.js';
import { postgresDeliveryRecords } from '../webhooks/store-postgres/transfer.js';

// Everything that works on a database, loaded together and only where there is one.
export { openDatabaseSource, openDatabaseTarget } from '../transfer/database-place.js';
export { openPostgresStorage } from './postgres-storage.js';

/** Everything in a database, as of `now` (milliseconds): what has expired by then is left out. */
export function databaseRecords(now: number): readonly PostgresRecords[] {
  return [
    postgresStateRecords,
    ...postgresSiteRecords,
    postgresImageRecords,
    ...postgresOrderRecords,
    ...postgresMessagingRecords(now),
    ...postgresPaymentRecords(now),
    ...postgresDeliveryRecords,
    ...postgresAuditRecords,
  ];
}
