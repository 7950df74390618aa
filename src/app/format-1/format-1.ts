/**
 * Reads a data folder of format 1, whose lines had no checksums:
 *
 *     site.json                          a document
 *     messaging/<collection>.json        {"journal": n, "records": […]}; changes from then on stand in
 *     messaging/<collection>.<n>.jsonl   a list of changes a line
 *     messaging/messages/journal.<n>.jsonl, chats/<xx>/<id>.jsonl    a message a line
 *     payments/, sandbox/                a record a file: {"id", "revision", "record"}; the highest counts
 *     webhooks/                          a delivery a file, followed by a line for each attempt
 *
 * A last line without its end was never acknowledged. Anything else that is no JSON is damage.
 */
import { join } from 'node:path';
import type { SiteDocument } from '#validators/site-document';
import type { RecordReader } from '../../base/records.js';
import { sandboxKinds } from '../../payments/records.js';
import { readSite } from '../../site/store-json/transfer.js';
import { readDeliveries } from './deliveries.js';
import { readMessaging } from './messaging.js';
import { type OldDamage, readJson, readStates, throwIt } from './old-files.js';
import { readPayments } from './payments.js';

/**
 * Every record, in the order of exports; what has expired by `now` (milliseconds) is left out. `data_damaged`
 * where something is damaged, unless `on` bears it; it may be called with the same more than once.
 */
export function readFormat1(
  data: string,
  now: number,
  on: OldDamage = throwIt,
): readonly RecordReader[] {
  return [
    ...readSite(async () => (await readJson(on, join(data, 'site.json'))) as SiteDocument | null),
    ...readMessaging(on, join(data, 'messaging'), now),
    ...readPayments(on, join(data, 'payments'), now),
    ...Object.entries(sandboxKinds).map(([kind, name]) => ({
      kind,
      async *read() {
        const files = readStates(on, join(data, 'sandbox', name), ['kept']);
        for await (const { id, record } of files) yield { id, record };
      },
    })),
    { kind: 'delivery', read: () => readDeliveries(on, join(data, 'webhooks')) },
  ];
}
