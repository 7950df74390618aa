import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { loadProviderModule, openProvider } from '../../../src/payments/providers/open-provider.js';
import { readRefunded } from '../../../src/payments/providers/provider-answer.js';
import { createManualClock } from '../../helpers/manual-clock.js';
import { makeTempFolder } from '../../helpers/temp-folder.js';
import { type ProviderUnderTest, providerContract } from '../provider-contract.js';

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

describe('the sandbox as a module', () => {
  const part = (path: string) =>
    new URL(`../../../dist/src/payments/providers/${path}`, import.meta.url);
  const code = `
    import { createSandbox } from '${part('sandbox/sandbox.js')}';
    import { openSandboxStore } from '${part('sandbox/store-json/open.js')}';
    export default async ({ clock, zone, folder }) => {
      const store = await openSandboxStore(folder, clock);
      const { provider, control } = createSandbox({ store, clock, speed: 1, zone });
      return { ...provider, control };
    };`;

  providerContract(async (clock) => {
    const context = { clock, zone: 'Asia/Almaty', folder: await makeTempFolder() };
    const provider = await loadProviderModule(await moduleOf(code), context);
    const { control } = provider as unknown as ProviderUnderTest; // The module above returns it.
    return { provider, control };
  });
});

async function moduleOf(code: string): Promise<string> {
  const path = join(await makeTempFolder(), 'provider.mjs');
  await writeFile(path, code);
  return path;
}

describe('a provider module', () => {
  it('written like the documented example creates, looks up and refunds payments', async () => {
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
    const lookup = (operation: 'qr/create' | 'refunds/create', idempotencyKey: string) =>
      provider.lookup({ session, operation }, { ...call, idempotencyKey });
    expect(await lookup('qr/create', 'k')).toEqual(made);
    await expect(lookup('refunds/create', 'k')).rejects.toMatchObject({ kind: 'not_found' });
    const order = { session, qrOperationId: QrOperationId, returnAmount: 2 };
    const returned = await provider.refund(order, { ...call, idempotencyKey: 'r' });
    expect(await provider.refund(order, { ...call, idempotencyKey: 'r' })).toEqual(returned);
    expect(await lookup('refunds/create', 'r')).toEqual(returned);
    expect(readRefunded(returned)).toMatchObject({ amount: 2, paymentId: String(QrOperationId) });
    const missing = provider.qrStatus({ session, qrOperationId: '1' }, call);
    await expect(missing).rejects.toMatchObject({ kind: 'not_found' });
    await provider.close();
  });

  it('without a lookup rejects a lookup with a clear outcome', async () => {
    const path = await moduleOf(`
      import create from '${pathToFileURL(example)}';
      export default (context) => ({ ...create(context), lookup: undefined });
    `);
    const without = (await open(path)).provider;
    const session = { tokenSN: 't', secret: 's' };
    const pending = without.lookup({ session, operation: 'qr/create' }, call);
    await expect(pending).rejects.toMatchObject({ kind: 'failure', isClear: true });
  });

  it.each([
    ['export default 5', 'is not a function'],
    ['export const a = 1', 'is not a function'],
    ['this is no module', 'cannot be loaded'],
    ['export default () => ({ close() {} })', 'is incomplete'],
    ['export default () => { throw new Error("no key") }', 'failed to start: no key'],
  ])('with the code %s causes a configuration error', async (code, message) => {
    await expect(open(await moduleOf(code))).rejects.toMatchObject({
      code: 'configuration',
      message: expect.stringContaining(message),
    });
  });

  it('at a missing path causes a configuration error that contains the path', async () => {
    await expect(open('/nowhere/provider.mjs')).rejects.toMatchObject({
      code: 'configuration',
      message: expect.stringContaining('/nowhere/provider.mjs'),
    });
  });
});
