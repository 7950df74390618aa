// Generates load in a second process (autocannon), so that sending requests does not slow the server down.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { root } from './processes.mjs';

/**
 * Sends `request` ({url, method, headers, body} or a list of them, used in turn) for `seconds`. Returns
 * requests per second and latencies in milliseconds; statuses other than 2xx and 3xx are errors.
 */
export async function load(request, { seconds = 4, connections = 32 } = {}) {
  const child = spawn(process.execPath, ['bench/lib/load-worker.mjs'], {
    cwd: root,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(JSON.stringify({ request, seconds, connections }));
  const chunks = [];
  child.stdout.on('data', (chunk) => chunks.push(chunk));
  await once(child, 'close');
  const result = JSON.parse(Buffer.concat(chunks).toString());
  if (result.failures > 0) {
    throw new Error(
      `${result.failures} of ${result.total} requests failed: ${JSON.stringify(result)}`,
    );
  }
  return result;
}

/** Returns how often `work` completes per second, with eight concurrent calls, measured for this many seconds. */
export async function rate(seconds, work) {
  const end = performance.now() + seconds * 1000;
  let done = 0;
  const worker = async () => {
    while (performance.now() < end) {
      await work();
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  return done / seconds;
}

/**
 * Measures two things alternately (A B A B …) and compares them in pairs, so that changes in the machine's speed do not
 * matter. Returns the medians of both and of the ratio.
 */
export async function compare(measureA, measureB, { rounds = 3 } = {}) {
  const pairs = [];
  for (let round = 0; round < rounds; round += 1) {
    pairs.push([await measureA(round), await measureB(round)]);
  }
  return {
    a: median(pairs.map(([a]) => a)),
    b: median(pairs.map(([, b]) => b)),
    ratio: median(pairs.map(([a, b]) => a / b)),
    ratios: pairs.map(([a, b]) => Number((a / b).toFixed(2))),
  };
}

export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
