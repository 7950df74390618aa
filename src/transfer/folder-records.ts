import { join } from 'node:path';
import type { RecordReader, RecordWriter } from '../base/records.js';
import { readJsonMessaging } from '../messaging/store-json/export.js';
import { fillJsonMessaging } from '../messaging/store-json/import.js';
import {
  fillJsonPayments,
  fillSandbox,
  readJsonPayments,
  readSandbox,
} from '../payments/store-json/transfer.js';
import { fillJsonSite, readJsonSite } from '../site/store-json/transfer.js';
import { fillJsonDeliveries, readJsonDeliveries } from '../webhooks/store-json/transfer.js';

/** Where the sandbox provider keeps its state, whichever storage the rest is in. */
export function sandboxIn(data: string): string {
  return join(data, 'sandbox');
}

/** What makes up the data of a folder. Secrets, the lock and the mark are not among it. */
export const dataNames = ['site.json', 'messaging', 'payments', 'webhooks', 'sandbox'] as const;

/** Every record in a data folder. */
export function readFolder(data: string, now: number): readonly RecordReader[] {
  return [
    ...readJsonSite(join(data, 'site.json')),
    ...readJsonMessaging(join(data, 'messaging'), now),
    ...readJsonPayments(join(data, 'payments'), now),
    ...readSandbox(sandboxIn(data)),
    ...readJsonDeliveries(join(data, 'webhooks')),
  ];
}

/** Fills a data folder that holds nothing. */
export async function fillFolder(data: string): Promise<readonly RecordWriter[]> {
  return [
    ...fillJsonSite(join(data, 'site.json')),
    ...(await fillJsonMessaging(join(data, 'messaging'))),
    ...(await fillJsonPayments(join(data, 'payments'))),
    ...fillSandbox(sandboxIn(data)),
    ...(await fillJsonDeliveries(join(data, 'webhooks'))),
  ];
}
