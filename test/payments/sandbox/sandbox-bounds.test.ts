import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createSandbox } from '../../../src/payments/providers/sandbox/sandbox.js';
import { openSandboxStore } from '../../../src/payments/providers/sandbox/store-json/open.js';
import { openSandboxSessions } from '../../../src/payments/providers/sandbox/store-json/session-store.js';
import { createManualClock } from '../../helpers/manual-clock.js';
import { makeTempFolder } from '../../helpers/temp-folder.js';
import { signIn } from '../provider-contract.js';

const minute = 60_000;
const day = 1440 * minute;
const call = { signal: new AbortController().signal };

async function begin(speed = 1) {
  const folder = await makeTempFolder();
  const clock = createManualClock();
  const open = async () => {
    const store = await openSandboxStore(folder, clock);
    return createSandbox({ store, clock, speed, zone: 'Asia/Almaty' }).provider;
  };
  const files = async (name: string) => (await readdir(join(folder, name, 'kept'))).length;
  return { folder, clock, open, files };
}

const processOf = (answer: object) => (answer as { processId: string }).processId;

it('the sandbox expires unfinished sign-ins after ten minutes at any speed', async () => {
  const { clock, open, files } = await begin(1000);
  const provider = await open();
  const first = processOf(await provider.startSignIn({}, call));
  for (let count = 0; count < 20; count++) await provider.startSignIn({}, call);
  await clock.advance(10 * minute - 1);
  await provider.sendPhone({ processId: first, phoneNumber: '77011234567' }, call);
  await clock.advance(1);
  const late = provider.verifyOtp({ processId: first, otp: '123456' }, call);
  await expect(late).rejects.toMatchObject({ kind: 'refused' });
  await provider.startSignIn({}, call);
  expect(await files('sign-ins')).toBe(1);
  await clock.advance(10 * minute);
  await open();
  expect(await files('sign-ins')).toBe(0);
});

it('the sandbox keeps the newest 1,000 unfinished sign-ins and removes the files of finished sign-ins', async () => {
  const { clock, open, files } = await begin();
  const provider = await open();
  const processes: string[] = [];
  for (let count = 0; count < 10; count++) {
    const started = Array.from({ length: 100 }, () => provider.startSignIn({}, call));
    processes.push(...(await Promise.all(started)).map(processOf));
    await clock.advance(1);
  }
  expect(await files('sign-ins')).toBe(1000);
  const [kept = ''] = processes.slice(100);
  await Promise.all(Array.from({ length: 100 }, () => provider.startSignIn({}, call)));
  expect(await files('sign-ins')).toBe(1000);
  const phoneNumber = '77011234567';
  for (const processId of processes.slice(0, 3)) {
    const gone = provider.sendPhone({ processId, phoneNumber }, call);
    await expect(gone).rejects.toMatchObject({ kind: 'refused' });
  }
  await provider.sendPhone({ processId: kept, phoneNumber }, call);
  await provider.verifyOtp({ processId: kept, otp: '123456' }, call);
  expect(await files('sign-ins')).toBe(999);
});

it('the sandbox ends sessions after 30 days without use and removes their files', async () => {
  const { clock, open, files } = await begin();
  const provider = await open();
  const { profileId: _used, ...used } = await signIn(provider);
  const { profileId: _unused, ...unused } = await signIn(provider, '77010000001');
  const { profileId: _ended, ...ended } = await signIn(provider, '77010000002');
  await provider.endSession({ session: ended }, call);
  expect(await files('sessions')).toBe(2);
  await clock.advance(20 * day);
  await provider.checkSession({ session: used }, call);
  await clock.advance(10 * day);
  const again = await open();
  await expect(again.checkSession({ session: unused }, call)).rejects.toMatchObject({
    kind: 'session_ended',
  });
  await again.checkSession({ session: used }, call);
  // The next sign-in removes expired sessions.
  await signIn(again, '77010000003');
  expect(await files('sessions')).toBe(2);
  await clock.advance(30 * day);
  await expect(again.checkSession({ session: used }, call)).rejects.toMatchObject({
    kind: 'session_ended',
  });
});

it('the sandbox limits the number of sessions and removes the least recently used', async () => {
  const folder = await makeTempFolder();
  const clock = createManualClock();
  const bounds = { max: 20, keptOfTooMany: 15 };
  const sessions = await openSandboxSessions(folder, clock, bounds);
  const add = (tokenSN: string) =>
    sessions.add({
      tokenSN,
      secretDigest: '',
      phone: '77011234567',
      organizationId: 1,
      createdAt: clock.now(),
    });
  for (let index = 0; index < 20; index++) {
    await add(`${index}`);
    await clock.advance(minute);
  }
  await clock.advance(120 * minute);
  await sessions.use('0');
  await add('one more');
  const left = (await readdir(join(folder, 'kept'))).length;
  expect(left).toBe(15);
  expect(await sessions.use('0')).toBeDefined();
  expect(await sessions.use('one more')).toBeDefined();
  expect(await sessions.use('1')).toBeUndefined();
  expect(await sessions.use('19')).toBeDefined();
});

it('the sandbox limits the number of operations and removes the oldest with their keys', async () => {
  const folder = await makeTempFolder();
  const clock = createManualClock();
  const bounds = { max: 20, keptOfTooMany: 15 };
  const draft = {
    kind: 'qr',
    organizationId: 1,
    profileId: 1,
    amount: 100,
    createdAt: 0,
    expiresAt: 0,
    speed: 1,
    orderNumber: '1',
    token: 't',
    failedReads: 0,
    refunds: [],
  } as const;
  const files = async (name: string) => (await readdir(join(folder, name, 'kept'))).length;
  const first = await openSandboxStore(folder, clock, bounds);
  const { id: oldest } = await first.addOperation(draft, 'key 0');
  for (let index = 1; index < 20; index++) await first.addOperation(draft, `key ${index}`);
  expect(await files('operations')).toBe(20);
  const again = await openSandboxStore(folder, clock, bounds);
  const { id: newest } = await again.addOperation(draft, 'one more');
  expect([await files('operations'), await files('idempotency-keys')]).toEqual([15, 15]);
  expect(await again.operation({ organizationId: 1, id: oldest })).toBeUndefined();
  expect(await again.operation({ organizationId: 1, id: newest })).toMatchObject({ id: newest });
});

it('the sandbox allows at most 99 refunds of one operation', async () => {
  const { clock, open } = await begin();
  const provider = await open();
  const { profileId, ...session } = await signIn(provider);
  const coordinates = { latitude: 1, longitude: 1 };
  const made = await provider.createQr({ session, profileId, amount: 100, ...coordinates }, call);
  const { Id: qrOperationId } = made.Data as { Id: number };
  await clock.advance(4000);
  const refund = () => provider.refund({ session, qrOperationId, returnAmount: 0.01 }, call);
  const ids = new Set<unknown>();
  for (let count = 0; count < 99; count++) ids.add(((await refund()).Data as { Id: number }).Id);
  expect(ids.size).toBe(99);
  await expect(refund()).rejects.toMatchObject({ kind: 'refused' });
});
