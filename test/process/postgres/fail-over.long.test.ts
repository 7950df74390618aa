import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { startPostgresPair } from '../../helpers/postgres-pair.js';
import { startShopUnderLoad } from './shop-under-load.js';

/** Number of losses of the primary server, for example MSGSITE_TEST_FAIL_OVERS=10 for a long run. */
const rounds = Number(process.env.MSGSITE_TEST_FAIL_OVERS ?? 1);
/** Time from the loss to the promotion, in milliseconds: the minimum that a monitor takes. */
const untilPromotion = 1_000;

/** Signals to the primary: it is killed, hangs, or shuts down immediately. */
const losses = ['SIGKILL', 'SIGSTOP', 'SIGQUIT'] as const;

it(`two processes neither lose nor duplicate acknowledged work in ${rounds} fail-overs of the database`, {
  timeout: 180_000 + rounds * 60_000,
}, async () => {
  const pair = await startPostgresPair('shop');
  onTestFinished(() => pair.remove());
  const shop = await startShopUnderLoad(pair.url('shop'));

  const waits: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await shop.progress();
    const loss = losses[round % losses.length] ?? 'SIGKILL';
    await pair.primary().signal(loss);
    await delay(untilPromotion);
    await pair.promote();
    const promoted = performance.now();
    await shop.progress();
    waits.push(Math.round(performance.now() - promoted));
    await pair.rejoin();
  }
  const work = await shop.finish();
  expect(waits).toHaveLength(rounds);
  console.log(`${rounds} fail-overs, ${work}; both recovered after ${waits.join(', ')} ms`);
});
