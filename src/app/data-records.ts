import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { storageError } from '../base/files/storage-errors.js';
import type { RecordKind } from '../base/records.js';
import { messagingKinds } from '../messaging/records.js';
import { readJsonMessaging } from '../messaging/store-json/read.js';
import { fillJsonMessaging } from '../messaging/store-json/write.js';
import { fillSandbox, readSandbox } from '../payments/providers/sandbox/store-json/transfer.js';
import { paymentKinds } from '../payments/records.js';
import { fillJsonPayments, readJsonPayments } from '../payments/store-json/transfer.js';
import { siteKinds } from '../site/records.js';
import { fillJsonSite, readJsonSite } from '../site/store-json/transfer.js';
import type { FolderRecords } from '../transfer/place.js';
import { webhookKinds } from '../webhooks/records.js';
import { fillJsonDeliveries, readJsonDeliveries } from '../webhooks/store-json/transfer.js';

/** Every kind of record of a deployment, in the order of exports, with fresh checks. */
export function allKinds(): readonly RecordKind[] {
  return [...siteKinds(), ...messagingKinds(), ...paymentKinds(), ...webhookKinds()];
}

/** What holds the records of a data folder: those of the site are in a file. */
const siteFile = 'site.json';
export const dataFolders = ['messaging', 'payments', 'webhooks', 'sandbox'] as const;

/** Everything in a data folder but secrets, locks and marks; without the sandbox's state where told. */
export function folderRecords(data: string, withSandbox = true): FolderRecords {
  const site = join(data, siteFile);
  const [messaging = '', payments = '', webhooks = ''] = dataFolders.map((name) =>
    join(data, name),
  );
  const sandbox = withSandbox ? sandboxRecords(data) : passedOver(sandboxRecords(data));
  return {
    readers: (now) => [
      ...readJsonSite(site),
      ...readJsonMessaging(messaging, now),
      ...readJsonPayments(payments, now),
      ...sandbox.readers(now),
      ...readJsonDeliveries(webhooks),
    ],
    writers: async () => [
      ...fillJsonSite(site),
      ...(await fillJsonMessaging(messaging)),
      ...fillJsonPayments(payments),
      ...(await sandbox.writers()),
      ...fillJsonDeliveries(webhooks),
    ],
    async remove() {
      for (const path of [site, messaging, payments, webhooks]) await remove(path);
      await sandbox.remove();
    },
  };
}

/** What the sandbox provider keeps in a data folder, whichever storage the rest is in. */
export function sandboxRecords(data: string): FolderRecords {
  const folder = join(data, 'sandbox');
  return {
    readers: () => readSandbox(folder),
    writers: async () => fillSandbox(folder),
    remove: () => remove(folder),
  };
}

/** Records that are in their place already: they are neither read nor stored. */
function passedOver({ writers }: FolderRecords): FolderRecords {
  const write = async (records: AsyncIterable<object>) => {
    for await (const _ of records);
  };
  return {
    readers: () => [],
    writers: async () => (await writers()).map(({ kind }) => ({ kind, write })),
    async remove() {},
  };
}

async function remove(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true }).catch((cause) => {
    throw storageError(cause, path);
  });
}
