// Announces one event and delivers it. Kills itself (SIGKILL) immediately after the nth change to the disk. Arguments:
// data folder, n. Writes the file `announced` when the event has been announced.

import { writeFileSync } from 'node:fs';
import * as promises from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../../dist/src/base/clock.js';
import { createJsonDeliveryStore } from '../../../dist/src/events/store-json/open.js';
import { createWebhooks } from '../../../dist/src/webhooks/webhooks.js';

const [, , folder, fatalStep] = process.argv;
let steps = 0;
let counting = false;

async function step(work) {
  const result = await work;
  if (!counting) return result;
  steps += 1;
  if (steps === Number(fatalStep)) process.kill(process.pid, 'SIGKILL');
  return result;
}

const files = {
  ...promises,
  rename: (...words) => step(promises.rename(...words)),
  link: (...words) => step(promises.link(...words)),
  unlink: (...words) => step(promises.unlink(...words)),
  mkdir: (...words) => step(promises.mkdir(...words)),
  rm: (...words) => step(promises.rm(...words)),
  async open(path, flags, mode) {
    const file = await promises.open(path, flags, mode);
    if (flags === 'r') return file;
    for (const name of ['write', 'sync', 'datasync']) {
      const original = file[name];
      file[name] = (...words) => step(original.apply(file, words));
    }
    return step(file);
  },
};

const store = await createJsonDeliveryStore({
  folder: join(folder, 'webhooks'),
  clock: systemClock,
  label: 'test',
  files,
});
const silent = { info() {}, warn() {}, error() {} };
const webhooks = await createWebhooks({
  store,
  file: join(folder, 'webhooks.json'),
  environment: {},
  instance: async () => 'a'.repeat(32),
  deletionTime: async () => Date.now(),
  delays: [0, 10, 10],
  timeoutMs: 10_000,
  privateAddresses: 'allow',
  retentionMs: 1e12,
  droppedRetentionMs: 1e12,
  clock: systemClock,
  log: silent,
});
counting = true;
webhooks.start();
await webhooks.announce(JSON.parse(process.env.EVENT));
writeFileSync(join(folder, 'announced'), '');
for (let delivered = false; !delivered; ) {
  await new Promise((resolve) => setTimeout(resolve, 10));
  for await (const { state } of webhooks.find({})) delivered = state === 'delivered';
}
await webhooks.stop();
