import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { auditKinds } from '../audit/store.js';
import { fillJsonAudit, readJsonAudit } from '../audit/store-json/read-lanes.js';
import { storageError } from '../base/files/storage-errors.js';
import type { RecordKind } from '../base/records.js';
import { stateKinds } from '../base/state.js';
import { webhookKinds } from '../events/records.js';
import { fillJsonDeliveries, readJsonDeliveries } from '../events/store-json/transfer.js';
import { imageKinds } from '../images/records.js';
import { imagePlace } from '../images/store-json/image-files.js';
import { fillJsonImages, readJsonImages } from '../images/store-json/image-transfer.js';
import { messagingKinds } from '../messaging/records.js';
import { fillJsonMessaging, readJsonMessaging } from '../messaging/store-json/transfer.js';
import { orderKinds } from '../orders/records.js';
import { fillJsonOrders, readJsonOrders } from '../orders/store-json/transfer.js';
import { fillSandbox, readSandbox } from '../payments/providers/sandbox/store-json/transfer.js';
import { paymentKinds } from '../payments/records.js';
import { fillJsonPayments, readJsonPayments } from '../payments/store-json/transfer.js';
import { siteKinds } from '../site/records.js';
import { siteManifest } from '../site/store-json/document.js';
import { fillJsonSite, readJsonSite } from '../site/store-json/transfer.js';
import { fillJsonState, readJsonState, storedRunningTime } from '../storage/json/state-store.js';
import type { FolderRecords } from '../transfer/place.js';

/** Returns all kinds of records of a deployment, in the order of exports, with new checks. */
export function allKinds(): readonly RecordKind[] {
  return [
    ...stateKinds(),
    ...siteKinds(),
    ...imageKinds(),
    ...orderKinds(),
    ...messagingKinds(),
    ...paymentKinds(),
    ...webhookKinds(),
    ...auditKinds(),
  ];
}

/**
 * Returns all records of a data folder, without secrets, locks and marks, and optionally without those of the sandbox.
 */
export function folderRecords(data: string, withSandbox = true): FolderRecords {
  const state = join(data, 'state');
  const site = join(data, 'site.jsonl');
  const orders = join(data, 'orders');
  const messaging = join(data, 'messaging');
  const payments = join(data, 'payments');
  const webhooks = join(data, 'webhooks');
  const audit = join(data, 'audit');
  const sandbox = withSandbox ? [sandboxRecords(data)] : [];
  return {
    readers: (now) => [
      readJsonState(state),
      ...readJsonSite(site),
      readJsonImages(data),
      ...readJsonOrders(orders),
      ...readJsonMessaging(messaging, now),
      ...readJsonPayments(payments, now, () => storedRunningTime(state)),
      ...sandbox.flatMap(({ readers }) => readers(now)),
      ...readJsonDeliveries(webhooks),
      ...readJsonAudit(audit),
    ],
    writers: async () => [
      fillJsonState(state),
      ...fillJsonSite(site),
      fillJsonImages(data),
      ...fillJsonOrders(orders, () => storedRunningTime(state)),
      ...(await fillJsonMessaging(messaging)),
      ...fillJsonPayments(payments),
      ...(await Promise.all(sandbox.map(({ writers }) => writers()))).flat(),
      ...fillJsonDeliveries(webhooks),
      ...fillJsonAudit(audit),
    ],
    async remove() {
      const images = Object.values(imagePlace(data));
      const folders = [state, orders, messaging, payments, webhooks, audit];
      for (const path of [siteManifest(site), site, ...images, ...folders]) await remove(path);
      for (const records of sandbox) await records.remove();
    },
  };
}

/** Returns the records of the sandbox provider, which are always stored in a data folder. */
export function sandboxRecords(data: string): FolderRecords {
  const folder = join(data, 'sandbox');
  return {
    readers: () => readSandbox(folder),
    writers: async () => fillSandbox(folder),
    remove: () => remove(folder),
  };
}

async function remove(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true }).catch((cause) => {
    throw storageError(cause, path);
  });
}
