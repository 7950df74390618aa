// Reads a job from stdin, runs it and prints the result. load.mjs starts it.
import { text } from 'node:stream/consumers';
import autocannon from 'autocannon';

const { request, seconds, connections } = JSON.parse(await text(process.stdin));
const [first] = [request].flat();
const { origin } = new URL(first.url);
const requests = [request].flat().map(({ url, ...rest }) => {
  const { pathname, search } = new URL(url);
  return { path: pathname + search, ...rest };
});
const result = await autocannon({ url: origin, connections, duration: seconds, requests });
process.stdout.write(
  JSON.stringify({
    perSecond: result.requests.average,
    p50: result.latency.p50,
    p99: result.latency.p99,
    total: result.requests.total,
    failures: result.errors + result.timeouts + result['4xx'] + result['5xx'],
  }),
);
