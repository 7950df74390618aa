// A command that makes a refund, or makes a payment and waits for it, with the key `k`. It stops itself with SIGSTOP
// before or after step number `stopAt`. A step is a change of a file name, a write or sync of a file, or a message to
// the database or the bank. It first prints its session and the payment. At the end, it prints the outcome of the
// operation and the number of steps.
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { Socket } from 'node:net';

const [kind, stopAt] = process.argv.slice(2);
let steps = Number.NEGATIVE_INFINITY;
function count() {
  steps += 1;
  if (steps === Number(stopAt)) process.kill(process.pid, 'SIGSTOP');
}
async function counted(work) {
  count();
  try {
    return await work();
  } finally {
    count();
  }
}
for (const name of ['link', 'rename', 'unlink']) {
  const original = promises[name];
  promises[name] = (...args) => counted(() => original(...args));
}
const { open } = promises;
promises.open = async (...args) => {
  const file = await open(...args);
  for (const name of ['write', 'datasync', 'sync']) {
    const original = file[name].bind(file);
    file[name] = (...given) => counted(() => original(...given));
  }
  return file;
};
syncBuiltinESMExports();
const { write } = Socket.prototype;
Socket.prototype.write = function (...args) {
  if (this.remotePort === undefined) return write.apply(this, args);
  count();
  const isSent = write.apply(this, args);
  count();
  return isSent;
};

const { openGatewayClient } = await import('../../../dist/src/app/open-gateway-client.js');
const { systemClock } = await import('../../../dist/src/base/clock.js');
const { silentLog } = await import('../../../dist/src/base/log.js');
const { readConfig } = await import('../../../dist/src/config/config.js');

const environment = process.env;
const config = readConfig({ flags: {}, env: environment, cwd: process.cwd() });
const client = await openGatewayClient({
  config,
  environment,
  clock: systemClock,
  log: silentLog(),
});
const { processId } = await client.signIn.start();
await client.signIn.sendPhone(processId, '77011234567');
const session = await client.signIn.verifyOtp(processId, '123456');
const cashier = await client.cashier(session);
const records = client.records(session);
const { signal } = new AbortController();

/** Makes a payment and waits until it has ended. */
async function pay(amount, repeat) {
  const { Data } = await cashier.createQr({ amount }, repeat);
  const id = String(Data.QrOperationId);
  const { payment } = await records.waitForOutcome({ id }, { signal });
  return payment;
}
const tell = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);

const repeat = { key: 'k', isNew: false };
let act = () => pay(1500, repeat);
let paymentId = '';
if (kind === 'refund') {
  ({ paymentId } = await pay(1700, { key: 'paid', isNew: true }));
  act = () => cashier.refund({ qrOperationId: Number(paymentId), returnAmount: 200 }, repeat);
}
const { tokenSN, vtokenSecret } = session;
tell({ tokenSN, vtokenSecret, paymentId });
steps = 0;
const outcome = await act().then(
  () => 'done',
  (error) => (error.fields?.outcome === 'unknown' ? 'unknown' : (error.code ?? String(error))),
);
tell({ outcome, steps });
steps = Number.NEGATIVE_INFINITY;
await client.close();
