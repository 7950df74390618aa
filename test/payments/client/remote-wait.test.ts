import { expect, it } from 'vitest';
import type { AppError } from '../../../src/base/errors.js';
import { createManualClock } from '../../helpers/manual-clock.js';
import {
  answerJson,
  clientOf,
  failureOf,
  openScriptedGateway,
  row,
  type ScriptedGateway,
  session,
} from './scripted-gateway.js';

const payment = { id: '1001', type: 'qr' } as const;
const scanned = { ...row, status: 'Wait' } as const;
const paid = { ...row, state: 'ended', outcome: 'success', status: 'Processed' } as const;

/** Waits for the payment and collects the reported changes. */
function waitAt(gateway: ScriptedGateway, more: Parameters<typeof clientOf>[1] = {}) {
  const said: string[] = [];
  const leaving = new AbortController();
  const waiting = clientOf(gateway.url, more)
    .records(session)
    .waitForOutcome(payment, {
      signal: leaving.signal,
      onChange: ({ status }) => void said.push(status),
      onPoll: (failure?: AppError) => void (failure && said.push(failure.code)),
    });
  return { waiting, said, leaving };
}

it('a wait follows a payment with long-polling requests', async () => {
  const answers = [row, scanned, scanned, paid];
  const gateway = await openScriptedGateway((_, response) =>
    answerJson(response, { payment: answers.shift() }),
  );
  const { waiting, said } = waitAt(gateway);
  expect(await waiting).toEqual({ payment: paid, endedHere: false });
  expect(said).toEqual(['QrTokenCreated', 'Wait', 'Processed']);
  expect(gateway.seen.map(({ line }) => line.slice(line.indexOf('?')))).toEqual([
    '?wait=0',
    '?wait=25',
    '?wait=25',
    '?wait=25',
  ]);
});

it('a wait retries every few seconds until the gateway is available again', async () => {
  const clock = createManualClock();
  let isAway = false;
  const gateway = await openScriptedGateway(({ line }, response) => {
    if (isAway) response.destroy();
    else if (line.endsWith('wait=25')) {
      isAway = true;
      response.destroy();
    } else answerJson(response, { payment: gateway.seen.length === 1 ? row : paid });
  });
  const { waiting, said } = waitAt(gateway, { clock });
  await expect.poll(() => said).toEqual(['QrTokenCreated', 'payments_unavailable']);
  await clock.advance(5_000);
  await expect.poll(() => said.length).toBeGreaterThan(2);
  isAway = false;
  await expect.poll(() => clock.sleepers).toBe(1);
  await clock.advance(5_000);
  expect((await waiting).payment).toEqual(paid);
  expect(said.at(-1)).toBe('Processed');
});

it('a wait retries if the gateway does not respond', async () => {
  const clock = createManualClock();
  const gateway = await openScriptedGateway(({ line }, response) => {
    if (line.endsWith('wait=0'))
      answerJson(response, { payment: gateway.seen.length > 2 ? paid : row });
  });
  const { waiting, said } = waitAt(gateway, { clock });
  await expect.poll(() => gateway.seen.length).toBe(2);
  await clock.advance(35_000);
  await expect.poll(() => said).toEqual(['QrTokenCreated', 'payments_unavailable']);
  await expect.poll(() => clock.sleepers).toBe(1);
  await clock.advance(5_000);
  expect((await waiting).payment).toEqual(paid);
});

it('a wait ends immediately when it is aborted and returns the last known payment', async () => {
  const gateway = await openScriptedGateway(({ line }, response) => {
    if (line.endsWith('wait=0')) answerJson(response, { payment: row });
    else leaving.abort();
  });
  const { waiting, leaving } = waitAt(gateway);
  expect(await waiting).toEqual({ payment: row, endedHere: false });
});

it('a wait reports an ended session and continues with the next sign-in', async () => {
  const clock = createManualClock();
  const gateway = await openScriptedGateway(({ headers }, response) => {
    if (headers['x-token-sn'] === 'fresh') answerJson(response, { payment: paid });
    else answerJson(response, { error: 'No.', code: 'unauthorized' }, 401);
  });
  const findSession = async () => ({ ...session, tokenSN: 'fresh' });
  const { waiting, said } = waitAt(gateway, { clock, findSession });
  await expect.poll(() => said).toEqual(['not_signed_in']);
  await clock.advance(5_000);
  expect((await waiting).payment).toEqual(paid);
});

it('a wait fails for a payment that is unknown to the gateway', async () => {
  const gateway = await openScriptedGateway((_, response) =>
    answerJson(response, { error: 'There is no payment 1001.', code: 'not_found' }, 404),
  );
  expect(await failureOf(waitAt(gateway).waiting)).toMatchObject({ code: 'not_found' });
});
