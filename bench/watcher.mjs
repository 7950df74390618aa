// Measures how late polls of open payments start, with 1,000, 5,000 and 10,000 of them watched by one process over
// HTTP. The sandbox server is a separate process and responds after 50 ms.
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { encodeLine } from '../dist/src/storage/json/lines/lines.js';

const bin = fileURLToPath(new URL('../bin/msgsite.js', import.meta.url));
const interval = 3000;
const latencyMs = 50;
/** Time before and during the measurement, in milliseconds. Payments found at startup are spread over one interval. */
const warmUp = 2 * interval;
const measured = 4 * interval;
const aim = 300;

export async function run(counts = [1000, 5000, 10_000]) {
  const rows = [];
  for (const count of counts) rows.push(...(await measure(count)));
  return rows;
}

async function measure(count) {
  const data = await mkdtemp(join(tmpdir(), 'msgsite-bench-'));
  const sandbox = await startSandbox(data);
  try {
    const { organizationId, sessionId } = await signIn(data, sandbox.url);
    global.gc?.();
    const before = process.memoryUsage().heapUsed;
    await seed(data, { count, organizationId, sessionId });
    await disturb(sandbox.url);
    const lateness = [];
    let counting = false;
    const payments = await open(data, sandbox.url, (late) => counting && lateness.push(late));
    const starting = performance.now();
    await payments.watcher.start();
    const started = ((performance.now() - starting) / 1000).toFixed(1);
    global.gc?.();
    const perPayment = (process.memoryUsage().heapUsed - before) / count;
    await pause(warmUp);
    counting = true;
    const cpu = process.cpuUsage();
    const upstream = await cpuSeconds(sandbox.process.pid);
    await pause(measured);
    counting = false;
    const theirs = ((await cpuSeconds(sandbox.process.pid)) - upstream) / (measured / 1000);
    const { user, system } = process.cpuUsage(cpu);
    await payments.close();
    const sorted = lateness.sort((a, b) => a - b);
    const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
    const looks = (lateness.length / count / (measured / interval)).toFixed(2);
    const share = ((user + system) / 1000 / measured).toFixed(2);
    const memory = global.gc ? `, ${(perPayment / 1024).toFixed(1)} KB each` : '';
    const report = `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, worst ${sorted.at(-1)} ms; ${looks} of the polls due, ${share} of a core${memory}; found in ${started} s; the sandbox takes ${theirs.toFixed(2)}`;
    return [
      { name: `${count} open payments`, report },
      ...(count === 5000
        ? [
            {
              name: 'p99 with 5,000 open payments, compared with 300 ms',
              ratio: at(0.99) / aim,
              aim: 1,
              atMost: true,
            },
          ]
        : []),
    ];
  } finally {
    sandbox.process.kill();
    await rm(data, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function startSandbox(data) {
  const env = { ...process.env, MSGSITE_SANDBOX_SPEED: '0.001' };
  const child = spawn(process.execPath, [bin, 'sandbox', '--port', '0', '--data', data, '--json'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  for await (const chunk of child.stdout) {
    text += chunk;
    if (text.includes('}')) break;
  }
  return { process: child, url: JSON.parse(text).url };
}

async function disturb(url) {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ faults: [`slow=${latencyMs / 1000}`] });
  await fetch(`${url}/control/faults`, { method: 'PUT', headers, body });
}

async function open(data, provider, onPoll) {
  const [
    payments,
    providers,
    stores,
    { openJsonAuditStore },
    { systemClock: clock },
    { silentLog },
  ] = await Promise.all([
    import('../dist/src/payments/payments.js'),
    import('../dist/src/payments/providers/open-provider.js'),
    import('../dist/src/payments/store-json/open.js'),
    import('../dist/src/audit/store-json/open.js'),
    import('../dist/src/base/clock.js'),
    import('../dist/src/base/log.js'),
  ]);
  const audit = openJsonAuditStore({ folder: join(data, 'audit'), clock, label: 'bench' });
  const opened = payments.createPayments({
    provider: await providers.openProvider({ provider, clock, timeout: 10_000 }),
    stores: await stores.openJsonPaymentStores({ folder: join(data, 'payments'), clock }),
    audit,
    gatewayKey: 'a key that only this benchmark uses',
    zone: 'Asia/Almaty',
    pollInterval: interval,
    qrFailedStatuses: [],
    clock,
    log: silentLog(),
    announce: async () => {},
    retention: Number.POSITIVE_INFINITY,
    findUndelivered: async () => [],
    deletionTime: async () => Date.now(),
    state: { find: async () => undefined, change: async () => undefined },
    onPoll,
  });
  return {
    ...opened,
    async close() {
      await opened.close();
      await audit.close();
    },
  };
}

async function signIn(data, url) {
  const { signIn: steps, sessions, close } = await open(data, url, () => {});
  const { processId } = await steps.start();
  await steps.sendPhone(processId, '77011234567');
  const { tokenSN, vtokenSecret } = await steps.verifyOtp(processId, '123456');
  const { session } = await sessions.authenticate(tokenSN, vtokenSecret);
  await close();
  return { organizationId: session.organizationId, sessionId: session.id };
}

/** Writes the files of many payments, because creating them would take minutes. */
async function seed(data, { count, organizationId, sessionId }) {
  const operations = join(data, 'sandbox/operations/kept');
  const open = join(data, 'payments/open');
  await Promise.all([operations, open].map((folder) => mkdir(folder, { recursive: true })));
  // Each payment is overdue when it is found, so the polls are spread over one interval.
  const now = Date.now() - interval;
  for (let start = 0; start < count; start += 100) {
    await Promise.all(
      Array.from({ length: Math.min(100, count - start) }, async (_, index) => {
        const id = 1_000_000 + start + index;
        const operation = {
          id,
          kind: 'qr',
          organizationId,
          profileId: 1,
          amount: 1506,
          createdAt: now,
          expiresAt: now + 180_000_000,
          speed: 0.001,
          orderNumber: '1',
          token: 'token',
          failedReads: 0,
          refunds: [],
        };
        const payment = {
          id: String(id),
          type: 'qr',
          state: 'open',
          organizationId,
          sessionId,
          amount: 1506,
          status: 'QrTokenCreated',
          statusDesc: 'Waiting',
          qrToken: 'https://pay.example/qr/token',
          receiptUrl: 'https://pay.example/receipt/token',
          orderNumber: '1',
          expiresAt: now + 180_000_000,
          createdAt: now - 60_000,
        };
        await put(operations, String(id), operation);
        await put(open, `${organizationId}-qr-${id}`, payment);
      }),
    );
  }
}

async function put(folder, id, record) {
  await writeFile(join(folder, `${id}.jsonl`), encodeLine(JSON.stringify({ id, record })));
}

/** Returns the processor time of another process in seconds, or NaN if the system does not report it. */
async function cpuSeconds(pid) {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
