import type { RecordReader, RecordWriter } from '../../base/records.js';
import { recordsChecker } from '../../storage/json/records/record-checker.js';
import { readRecords, recordWriter } from '../../storage/json/records/record-transfer.js';
import { type Delivery, deliveryStates } from '../delivery.js';
import { deliveryPlan } from './plan.js';

/** The deliveries in a folder (`<data>/webhooks`) that nobody works on; the files stay untouched. */
export function readJsonDeliveries(folder: string): readonly RecordReader[] {
  return [
    {
      kind: 'delivery',
      async *read() {
        const found = readRecords(folder, deliveryPlan, { states: deliveryStates });
        for await (const { record } of found) yield record;
      },
    },
  ];
}

/** Fills a folder of deliveries that holds none yet. */
export function fillJsonDeliveries(folder: string): readonly RecordWriter[] {
  return [
    recordWriter('delivery', folder, deliveryPlan, (record: Delivery) => [record.id, record]),
  ];
}

/** Checks the records of webhook deliveries. */
export const deliveryChecker = recordsChecker('webhooks', { webhooks: deliveryPlan });
