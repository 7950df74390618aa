import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../src/base/clock.js';
import { openJsonStateStore, stateChecker } from '../../../src/storage/json/state-store.js';
import { makeTempFolder } from '../../helpers/temp-folder.js';
import { describeStateStores } from '../state-contract.js';

const clock = systemClock;

async function open(folder: string, readOnly = false) {
  const store = await openJsonStateStore({ folder, clock, label: 'test', readOnly });
  onTestFinished(() => store.close());
  return store;
}

describeStateStores('JSON files', async () => {
  const folder = await makeTempFolder();
  return { open: () => open(folder) };
});

it('the JSON state store creates no folder if it is read-only', async () => {
  const folder = join(await makeTempFolder(), 'state');
  expect(await (await open(folder, true)).find('instance')).toBeUndefined();
  expect(existsSync(folder)).toBe(false);
});

it('the JSON state store rejects a damaged fact, which a check reports and a repair sets aside', async () => {
  const data = await makeTempFolder();
  const store = await open(join(data, 'state'));
  await store.change('instance', () => ({ id: 'a'.repeat(32) }));
  const file = join(data, 'state', 'kept', 'instance.jsonl');
  await writeFile(file, (await readFile(file, 'utf8')).replace('aa', 'ab'));
  await expect(store.find('instance')).rejects.toMatchObject({ code: 'data_damaged' });
  const change = store.change('instance', () => ({ id: 'b'.repeat(32) }));
  await expect(change).rejects.toMatchObject({ code: 'data_damaged' });
  const findings: object[] = [];
  await stateChecker.check(data, (finding) => findings.push(finding));
  expect(findings).toMatchObject([{ severity: 'error', file }]);
  await stateChecker.repair(data, { clock, tell() {} });
  expect(await store.change('instance', () => ({ id: 'b'.repeat(32) }))).toBeDefined();
});
