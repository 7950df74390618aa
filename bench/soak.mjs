// Runs two `serve` processes for hours at half of the machine's maximum load. One of them is killed (-9) every minute.
// The memory, the open files and the slowest responses of the other one must not grow, and nothing acknowledged may be
// lost or duplicated. MSGSITE_SOAK_MINUTES (60 by default) and MSGSITE_SOAK_STORAGE (json or postgres) configure it.
// Requires Linux.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { median } from './lib/load.mjs';
import { startDatabase } from './lib/postgres.mjs';
import { startSandbox } from './lib/processes.mjs';
import { checkMessages, startReceiver } from './lib/soak-check.mjs';
import { createLoad } from './lib/soak-load.mjs';
import { startServed } from './lib/soak-process.mjs';
import { withTemporary } from './lib/temporary.mjs';

const minutes = Number(process.env.MSGSITE_SOAK_MINUTES ?? 60);
const storage = process.env.MSGSITE_SOAK_STORAGE ?? 'json';
/** Number of posts that fill the two caches of a process, 32 MB each with about 1 kB per message. */
const fillingPosts = 60_000;
/** Duration of measuring the maximum load, in seconds. */
const peakSeconds = 15;
const killEvery = 60_000;
const sampleEvery = 5_000;
/** The fraction of the time in which memory grows to its working size and code is compiled. */
const warmUp = 0.1;
/** Time that connections may take to close, in seconds. */
const settling = 30;
const secrets = {
  MSGSITE_JWT_SECRET: 'the same for every process of the benchmark',
  MSGSITE_GATEWAY_KEY: 'the same for every process of the benchmark',
};

export function run() {
  return withTemporary(async ({ folder, started }) => {
    const receiver = await started(startReceiver());
    const sandbox = await started(startSandbox(join(folder, 'sandbox')));
    const webhooks = join(folder, 'webhooks.json');
    const subscription = { url: receiver.url, events: ['payment.success'], secret: 'bench' };
    await writeFile(webhooks, JSON.stringify([subscription]));
    const env = { ...secrets, ...(await databaseOf(folder, started)) };
    const serve = (name) =>
      started(
        startServed(name, { data: join(folder, name), provider: sandbox.url, webhooks, env }),
      );
    const [steady, killed] = [await serve('steady'), await serve('killed')];
    const loads = [await createLoad(steady), await createLoad(killed)];

    await Promise.all(loads.map((load) => load.fill(fillingPosts)));
    const peaks = await Promise.all(loads.map((load) => load.peak(peakSeconds)));
    // Includes permanent connections, to the database and to waiting clients.
    const before = await settledFiles(steady);
    const begun = performance.now();
    const over = new AbortController();
    const working = loads.map((load, index) => load.steady(peaks[index] / 2, over.signal));
    const killing = repeat(killEvery, over.signal, () => killed.kill());
    const samples = [];
    const sampling = repeat(sampleEvery, over.signal, async () => {
      samples.push({ at: performance.now(), ...(await steady.usage()) });
    });
    await delay(minutes * 60_000);
    over.abort();
    await Promise.all([...working, killing, sampling, ...loads.map((load) => load.end())]);

    const messages = await Promise.all([
      checkMessages(loads[0], steady),
      checkMessages(loads[1], killed),
    ]);
    const payments = await receiver.check(
      loads.flatMap(({ sold }) => [...sold]),
      () => Promise.all([steady.replay(), killed.replay()]),
    );
    const after = await settledFiles(steady);
    const span = { begun, ended: begun + minutes * 60_000 };
    const table = tableOf(samples, loads[0].latencies, span);
    console.table(table);
    return [
      ...flatness(samples, loads[0].latencies, span),
      {
        name: 'open files of the process that is not killed, after the load compared with before',
        aim: 1.1,
        atMost: true,
        ratio: after / before,
      },
      wholeness(
        'messages',
        loads.reduce((sum, { posted }) => sum + posted.size, 0),
        messages,
      ),
      wholeness(
        'payments',
        loads.reduce((sum, { sold }) => sum + sold.size, 0),
        [payments],
      ),
      {
        name: `${minutes} minutes on ${storage}, half of ${Math.round(peaks[0] + peaks[1])} requests per second`,
        report: `${killed.kills} kills; ${payments.replayed} dropped events sent again; ${loads.map(({ counts }, index) => `${index ? killed.name : steady.name} ${JSON.stringify(counts)}`).join(', ')}`,
        table,
      },
    ];
  });
}

async function databaseOf(folder, started) {
  if (storage === 'json') return {};
  const database = await started(startDatabase(folder));
  return { MSGSITE_DATABASE: await database.create('soak') };
}

/** Runs `work` at this interval in milliseconds until the signal aborts. */
async function repeat(every, signal, work) {
  for (;;) {
    await delay(every, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    await work();
  }
}

/** Returns the samples between two fractions of the time. */
function within(all, { begun, ended }, from, to, timeOf) {
  const at = (share) => begun + (ended - begun) * share;
  return all.filter((each) => timeOf(each) >= at(from) && timeOf(each) < at(to));
}

const memory = (samples) => median(samples.map(({ megabytes }) => megabytes));
const latencyTime = ([at]) => at;
const sampleTime = ({ at }) => at;

function p99(latencies) {
  const sorted = latencies.map(([, , ms]) => ms).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.99)] ?? 0;
}

/** Compares the last third with the first, without the warm-up. */
function flatness(samples, latencies, span) {
  const third = (1 - warmUp) / 3;
  const thirds = (all, timeOf) => [
    within(all, span, warmUp, warmUp + third, timeOf),
    within(all, span, 1 - third, 1, timeOf),
  ];
  const [first, last] = thirds(samples, sampleTime);
  const [early, late] = thirds(latencies, latencyTime);
  const rest = { atMost: true };
  return [
    {
      name: 'memory of the process that is not killed, last third compared with first',
      aim: 1.15,
      ratio: memory(last) / memory(first),
      ...rest,
    },
    {
      name: 'p99 of the process that is not killed, last third compared with first',
      aim: 1.5,
      ratio: p99(late) / p99(early),
      ...rest,
    },
  ];
}

/** Returns the number of open files after idle connections have been closed, because these depend on the load. */
async function settledFiles(served) {
  let fewest = Number.POSITIVE_INFINITY;
  for (let seconds = 0; seconds < settling; seconds += 1) {
    fewest = Math.min(fewest, (await served.usage()).files);
    await delay(1000);
  }
  return fewest;
}

function wholeness(kind, acknowledged, checks) {
  const sum = (name) => checks.reduce((total, each) => total + each[name], 0);
  return {
    name: `of ${acknowledged} acknowledged ${kind}, lost ${sum('lost')} and duplicated ${sum('doubled')}`,
    ratio: sum('lost') + sum('doubled'),
    aim: 0,
    atMost: true,
  };
}

/** Returns a table of ten parts of the time. */
function tableOf(samples, latencies, span) {
  return Array.from({ length: 10 }, (_, part) => {
    const [from, to] = [part / 10, (part + 1) / 10];
    const inside = within(samples, span, from, to, sampleTime);
    const answers = within(latencies, span, from, to, latencyTime);
    return {
      until: `${((minutes * (part + 1)) / 10).toFixed(1)} min`,
      'responses per second': Math.round(answers.length / (minutes * 6)),
      'p99, ms': Math.round(p99(answers)),
      'memory, MB': Math.round(median(inside.map(({ megabytes }) => megabytes))),
      files: median(inside.map(({ files }) => files)),
    };
  });
}
