// Measures durable webhook deliveries per second to loopback receivers, and the effect of one dead receiver
// among ten on the others. Every delivery is on disk before it is sent, and its result afterwards.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startReceivers } from './lib/processes.mjs';
import { withTemporary } from './lib/temporary.mjs';

const silent = { info() {}, warn() {}, error() {} };
const wantedPerSecond = 1000;
const rounds = 3;

export function run() {
  return withTemporary(async ({ folder, started }) => {
    const receivers = await started(startReceivers());
    const { ports } = receivers;
    let places = 0;
    const measure = async (work) => {
      const place = join(folder, String(places++));
      await mkdir(place);
      return deliver({ folder: place, receivers, ...work });
    };
    await measure({ ports: ports.slice(1, 2), events: 500, dead: false });
    const speeds = [];
    const isolations = [];
    for (let round = 0; round < rounds; round++) {
      const speed = await measure({ ports: ports.slice(1, 2), events: 3000, dead: false });
      speeds.push(speed / wantedPerSecond);
      const healthy = await measure({ ports, events: 300, dead: false });
      const disturbed = await measure({ ports, events: 300, dead: true });
      isolations.push(disturbed / healthy);
    }
    return [
      row(`durable deliveries, compared with ${wantedPerSecond} per second`, 1, speeds),
      row('nine receivers while a tenth hangs, compared with ten that respond', 0.9, isolations),
    ];
  });
}

function row(name, aim, ratios) {
  const sorted = [...ratios].sort((a, b) => a - b);
  const ratio = sorted[Math.floor(sorted.length / 2)];
  return { name, aim, ratio, ratios: ratios.map((each) => each.toFixed(2)) };
}

/** Returns the deliveries per second since the first announcement, to the only receiver or to nine of ten. */
async function deliver({ folder, receivers, ports, events, dead }) {
  const { createWebhooks } = await import('../dist/src/webhooks/webhooks.js');
  const { createJsonDeliveryStore } = await import('../dist/src/events/store-json/open.js');
  const { systemClock: clock } = await import('../dist/src/base/clock.js');
  await receivers.ask({ dead });
  const file = join(folder, 'webhooks.json');
  const subscriptions = ports.map((port) => ({
    url: `http://127.0.0.1:${port}/`,
    events: ['payment.success'],
    secret: 'bench',
  }));
  await writeFile(file, JSON.stringify(subscriptions));
  const label = 'bench';
  const webhooks = await createWebhooks({
    file,
    store: await createJsonDeliveryStore({ folder: join(folder, 'webhooks'), clock, label }),
    instance: async () => 'a'.repeat(32),
    deletionTime: async () => clock.now(),
    environment: {},
    delays: [0, 5_000, 30_000],
    timeoutMs: 10_000,
    privateAddresses: 'allow',
    retentionMs: 30 * 86_400_000,
    droppedRetentionMs: 365 * 86_400_000,
    clock,
    log: silent,
  });
  webhooks.start();
  const counted = Math.max(1, ports.length - 1);
  const delivered = async () => {
    const counts = await receivers.ask({});
    return (counted > 1 ? counts.slice(1) : counts).reduce((sum, count) => sum + count, 0);
  };
  const startedAt = performance.now();
  await announceAll(webhooks, events);
  while ((await delivered()) < counted * events) await pause(10);
  const seconds = (performance.now() - startedAt) / 1000;
  await webhooks.stop();
  return (counted * events) / seconds;
}

async function announceAll(webhooks, events) {
  let next = 0;
  const announce = async () => {
    while (next < events) await webhooks.announce(eventOf(next++));
  };
  await Promise.all(Array.from({ length: 64 }, announce));
}

function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function eventOf(number) {
  return {
    event: 'payment.success',
    paymentId: String(number),
    type: 'qr',
    status: 'Processed',
    statusDesc: 'Paid',
    amount: 1500,
    qrToken: `https://pay.example/${number}`,
    receiptUrl: null,
    orderNumber: null,
    data: { QrOperationId: number, Status: 'Processed', Amount: 1500 },
    occurredAt: Date.now(),
  };
}
