import { join } from 'node:path';
import type { ReceiverState } from '#validators/webhooks';
import type { RecordReader, RecordWriter } from '../../base/records.js';
import { recordsChecker } from '../../storage/json/records/record-checker.js';
import type { RecordPlan } from '../../storage/json/records/record-file.js';
import { readRecords, recordWriter } from '../../storage/json/records/record-transfer.js';
import { type Delivery, deliveryStates } from '../delivery.js';
import type { StoredEvent } from '../event.js';
import { deliveryPlan, eventPlan, receiverPlan } from './plan.js';

/** Returns readers of a webhook folder (`<data>/webhooks`) that no process uses. They do not change the files. */
export function readJsonDeliveries(folder: string): readonly RecordReader[] {
  return [
    readerOf('delivery', folder, deliveryPlan, deliveryStates),
    readerOf('webhook-event', join(folder, 'events'), eventPlan),
    readerOf('webhook-receiver', join(folder, 'receivers'), receiverPlan),
  ];
}

function readerOf<T extends object, State extends string>(
  kind: string,
  folder: string,
  plan: RecordPlan<T, State>,
  states?: readonly State[],
): RecordReader {
  return {
    kind,
    async *read() {
      const found = readRecords(folder, plan, states ? { states } : {});
      for await (const { record } of found) yield record;
    },
  };
}

/** Returns writers that fill an empty webhook folder. */
export function fillJsonDeliveries(folder: string): readonly RecordWriter[] {
  return [
    recordWriter('delivery', folder, deliveryPlan, (record: Delivery) => [record.id, record]),
    recordWriter('webhook-event', join(folder, 'events'), eventPlan, (record: StoredEvent) => [
      record.id,
      record,
    ]),
    recordWriter(
      'webhook-receiver',
      join(folder, 'receivers'),
      receiverPlan,
      (record: ReceiverState) => [record.id, record],
    ),
  ];
}

/** Checks the records of webhooks. */
export const deliveryChecker = recordsChecker('webhooks', {
  webhooks: deliveryPlan,
  'webhooks/events': eventPlan,
  'webhooks/receivers': receiverPlan,
});
