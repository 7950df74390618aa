import { setTimeout as delay } from 'node:timers/promises';
import { it, onTestFinished } from 'vitest';
import { type FaultyProxy, startFaultyProxy } from '../../helpers/faulty-proxy.js';
import { createEmptyDatabase } from '../../helpers/test-database.js';
import { startShopUnderLoad } from './shop-under-load.js';

/** Duration of the test in seconds, for example MSGSITE_TEST_CUT_SECONDS=3600 for a long run. */
const seconds = Number(process.env.MSGSITE_TEST_CUT_SECONDS ?? 10);

/** Faults that are injected one after another. Between two faults, the processes work undisturbed. */
const faults: readonly ((proxy: FaultyProxy) => void)[] = [
  (proxy) => proxy.reset(),
  (proxy) => proxy.breakMessages(),
  (proxy) => proxy.halfClose(),
  (proxy) => {
    proxy.become('slow');
    proxy.reset();
  },
  (proxy) => {
    proxy.become('closing');
    proxy.reset();
  },
  (proxy) => proxy.become('hanging'),
];

it(`two processes neither lose nor duplicate acknowledged work in ${seconds} s of cut connections`, {
  timeout: 240_000 + 2_000 * seconds,
}, async () => {
  const proxy = await startFaultyProxy(await createEmptyDatabase());
  onTestFinished(() => proxy.close());
  const shop = await startShopUnderLoad(proxy.url);
  const end = performance.now() + 1_000 * seconds;
  const waits: number[] = [];
  for (let round = 0; performance.now() < end; round += 1) {
    for (let cut = 0; cut < 20; cut += 1) {
      faults[round % faults.length]?.(proxy);
      await delay(15 + Math.random() * 200);
    }
    proxy.become('open');
    proxy.reset();
    const open = performance.now();
    await shop.progress();
    waits.push(Math.round(performance.now() - open));
  }
  const work = await shop.finish();
  const longest = Math.max(...waits);
  console.log(`${waits.length} faults, ${work}; both recovered within ${longest} ms`);
});
