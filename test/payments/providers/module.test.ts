import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openProvider } from '../../../src/payments/providers/open-provider.js';
import { createManualClock } from '../../helpers/manual-clock.js';
import { makeTempFolder } from '../../helpers/temp-folder.js';

const example = fileURLToPath(
  new URL('../../../docs/examples/provider-module.mjs', import.meta.url),
);
const call = { signal: new AbortController().signal };

async function open(provider: string) {
  const clock = createManualClock();
  const opened = await openProvider({
    provider,
    sandbox: () => Promise.reject(new Error('No sandbox was asked for.')),
    folder: await makeTempFolder(),
    clock,
    zone: 'UTC',
    timeout: 10_000,
    sandboxSpeed: 1,
  });
  return { clock, provider: opened };
}

async function moduleOf(code: string): Promise<string> {
  const path = join(await makeTempFolder(), 'provider.mjs');
  await writeFile(path, code);
  return path;
}

describe('a provider module', () => {
  it('works as the documented example does', async () => {
    const { clock, provider } = await open(example);
    const { processId } = (await provider.startSignIn({}, call)) as { processId: string };
    await provider.sendPhone({ processId, phoneNumber: '77011234567' }, call);
    const wrong = provider.verifyOtp({ processId, otp: '1' }, call);
    await expect(wrong).rejects.toMatchObject({ kind: 'refused', code: 'refused' });
    const { tokenSN, vtokenSecret } = (await provider.verifyOtp(
      { processId, otp: '0000' },
      call,
    )) as { tokenSN: string; vtokenSecret: string };
    const session = { tokenSN, secret: vtokenSecret };
    const input = { session, profileId: 1, amount: 5, latitude: 1, longitude: 1 };
    const made = await provider.createQr(input, { ...call, idempotencyKey: 'k' });
    expect(await provider.createQr(input, { ...call, idempotencyKey: 'k' })).toEqual(made);
    const { QrOperationId } = made.Data as { QrOperationId: number };
    const status = () => provider.qrStatus({ session, qrOperationId: `${QrOperationId}` }, call);
    expect(await status()).toMatchObject({ Data: { Status: 'QrTokenCreated' } });
    await clock.advance(2000);
    expect(await status()).toMatchObject({ Data: { Status: 'Processed' } });
    const missing = provider.qrStatus({ session, qrOperationId: '1' }, call);
    await expect(missing).rejects.toMatchObject({ kind: 'not_found' });
    await provider.close();
  });

  it.each([
    ['export default 5', 'no function as its default export'],
    ['export const a = 1', 'no function as its default export'],
    ['this is no module', 'cannot be loaded'],
    ['export default () => ({ close() {} })', 'is not complete'],
    ['export default () => { throw new Error("no key") }', 'does not start: no key'],
  ])('%s is a configuration error', async (code, message) => {
    await expect(open(await moduleOf(code))).rejects.toMatchObject({
      code: 'configuration',
      message: expect.stringContaining(message),
    });
  });

  it('a path that is not there is a configuration error naming it', async () => {
    await expect(open('/nowhere/provider.mjs')).rejects.toMatchObject({
      code: 'configuration',
      message: expect.stringContaining('/nowhere/provider.mjs'),
    });
  });
});
