// A run of a gateway that is killed. It recovers the data of the previous run, then makes a payment and watches it. It
// kills itself with SIGKILL after durable step number `killAt`. A durable step is a link, a rename, an unlink, or a
// write or sync of the audit log. If there are fewer steps, the run prints `survived` and exits.
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';

const [data, life, killAt] = process.argv.slice(2);
let steps = Number.NEGATIVE_INFINITY;
function count() {
  steps += 1;
  if (steps === Number(killAt)) process.kill(process.pid, 'SIGKILL');
}
for (const name of ['link', 'rename', 'unlink']) {
  const original = promises[name];
  promises[name] = async (...args) => {
    const result = await original(...args);
    count();
    return result;
  };
}
const { open } = promises;
promises.open = async (path, ...more) => {
  const file = await open(path, ...more);
  if (!/\baudit\b.*\.jsonl$/.test(String(path))) return file;
  for (const name of ['write', 'datasync']) {
    const original = file[name].bind(file);
    file[name] = async (...args) => {
      const result = await original(...args);
      count();
      return result;
    };
  }
  return file;
};
syncBuiltinESMExports();

const { createPayments } = await import('../../../dist/src/payments/payments.js');
const { openProvider } = await import('../../../dist/src/payments/providers/open-provider.js');
const { openSandboxStore } = await import(
  '../../../dist/src/payments/providers/sandbox/store-json/open.js'
);
const { openJsonPaymentStores } = await import('../../../dist/src/payments/store-json/open.js');
const { openJsonAuditStore } = await import('../../../dist/src/audit/store-json/open.js');
const { systemClock } = await import('../../../dist/src/base/clock.js');
const { silentLog } = await import('../../../dist/src/base/log.js');

const zone = 'Asia/Almaty';
const clock = systemClock;
// The sandbox derives IDs from the time in seconds. From the third run on, the clock is fixed, so that the sandbox
// chooses the same ID for a key as in the previous run.
const second = Number(life) < 3 ? 1_795_000_000_000 : 1_795_000_010_000;
const sandboxClock = { ...clock, now: () => second };
const provider = await openProvider({
  provider: 'sandbox',
  sandbox: () => openSandboxStore(join(data, 'sandbox'), sandboxClock),
  clock,
  zone,
  sandboxSpeed: 1000,
  timeout: 10_000,
});
const audit = openJsonAuditStore({ folder: join(data, 'audit'), clock, label: 'child' });
const payments = createPayments({
  instance: async () => undefined,
  provider,
  stores: await openJsonPaymentStores({ folder: join(data, 'payments'), clock }),
  audit,
  gatewayKey: 'a key that only this test uses',
  zone,
  pollInterval: 10,
  // The interval is so long that no lease is renewed during the test, because renewals are steps too.
  scanInterval: 60_000,
  resolveInterval: 60_000,
  providerTimeout: 10_000,
  qrFailedStatuses: [],
  clock,
  log: silentLog(),
  retention: Number.POSITIVE_INFINITY,
  findUndelivered: async () => [],
  deletionTime: async () => Date.now(),
  state: { find: async () => undefined, change: async () => undefined },
  // A repeated event overwrites its file.
  async announce({ paymentId, event }) {
    await promises.appendFile(join(data, `event-${paymentId}-${event}`), 'sent\n');
  },
});
const { signIn, sessions, gateway, watcher, resolver, listPayments } = payments;

await resolver.recover();
const cashier = await returningCashier();
const pay = (life) =>
  gateway.as(cashier).createQr({ amount: 1500 }, { key: `life ${life}`, isNew: false });

// A client that received no response repeats its request with the same key. Doubts are settled.
if (Number(life) > 1) await pay(Number(life) - 1);
await resolver.round(new AbortController().signal);
await watcher.start();
await untilNothingIsOpen();
steps = 0;
await pay(life);
await untilNothingIsOpen();
await payments.close();
await audit.close();
process.stdout.write('survived\n');

async function untilNothingIsOpen() {
  for (;;) {
    const open = [];
    for await (const payment of listPayments('open')) open.push(payment);
    if (open.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function returningCashier() {
  const file = join(data, 'cashier.json');
  const kept = await promises.readFile(file, 'utf8').catch(() => undefined);
  if (kept) return sessions.authenticate(...JSON.parse(kept));
  const { processId } = await signIn.start();
  await signIn.sendPhone(processId, '77011234567');
  const { tokenSN, vtokenSecret } = await signIn.verifyOtp(processId, '123456');
  await promises.writeFile(file, JSON.stringify([tokenSN, vtokenSecret]));
  return sessions.authenticate(tokenSN, vtokenSecret);
}
