import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { operationNames } from '../../src/payments/providers/provider.js';
import { startServe } from '../helpers/msgsite-process.js';

/** A provider with a promise that is not awaited. */
const provider = `
export default function forgetful() {
  const failure = new Error('the bank hung up \\u001b[31m\\u202enow');
  failure.session = { secret: 'the secret of a cashier' };
  const names = ${JSON.stringify([...operationNames, 'close'])};
  async function fail() {
    void Promise.reject(failure);
    return {};
  }
  return Object.fromEntries(names.map((name) => [name, fail]));
}
`;

test('an unhandled rejection exits the process and is logged without properties and escape sequences', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'msgsite-last-resort-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'provider.mjs'), provider);
  const argv = ['--data', join(folder, 'data'), '--provider', join(folder, 'provider.mjs')];
  const serving = await startServe(argv, { cwd: folder });
  await fetch(`${serving.gateway}/api/auth/init`, { method: 'POST' }).catch(() => undefined);
  expect(await serving.exit()).toBe(1);
  expect(serving.stderr()).toContain('the bank hung up');
  expect(serving.stderr()).toContain('provider.mjs');
  expect(serving.stderr()).not.toContain('secret of a cashier');
  expect(serving.stderr()).not.toMatch(/(?!\n)\p{C}/u);
});
