import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { paymentKey } from '../../../src/payments/providers/sandbox/operation.js';
import { createSandbox } from '../../../src/payments/providers/sandbox/sandbox.js';
import { openSandboxStore } from '../../../src/payments/providers/sandbox/store-json/open.js';
import { createManualClock, type ManualClock } from '../../helpers/manual-clock.js';
import { makeTempFolder } from '../../helpers/temp-folder.js';
import { providerContract, signIn } from '../provider-contract.js';

const zone = 'Asia/Almaty';
const open = async (clock: ManualClock, folder: string) =>
  createSandbox({ store: await openSandboxStore(folder, clock), clock, speed: 1, zone });

it('the sandbox store skips and reports a damaged operation', async () => {
  const folder = await makeTempFolder();
  const reported: string[] = [];
  const onDamaged = ({ message }: Error) => reported.push(message);
  const store = await openSandboxStore(folder, createManualClock(), undefined, onDamaged);
  const draft = { kind: 'qr', amount: 1 } as never;
  const [lost, kept] = [
    await store.addOperation(draft, undefined),
    await store.addOperation(draft, undefined),
  ];
  await writeFile(join(folder, 'operations', 'kept', `${lost.id}.jsonl`), 'no operation\n');
  expect((await store.operations(() => true)).map(({ id }) => id)).toEqual([kept.id]);
  expect(reported).toEqual([expect.stringContaining(`${lost.id}.jsonl, line 1`)]);
});

describe('the in-process sandbox', () => {
  providerContract(async (clock) => open(clock, await makeTempFolder()));

  it('keeps sessions, operations and keys across restarts and shares them with other processes', async () => {
    const folder = await makeTempFolder();
    const clock = createManualClock();
    const first = await open(clock, folder);
    const { profileId, ...session } = await signIn(first.provider);
    const call = { signal: new AbortController().signal, idempotencyKey: 'once' };
    const input = { session, profileId, amount: 1500, latitude: 1, longitude: 1 };
    const made = await first.provider.createQr(input, call);
    const second = await open(clock, folder);
    expect(await second.provider.createQr(input, call)).toEqual(made);
    await second.provider.endSession({ session }, call);
    await clock.advance(200);
    await expect(first.provider.checkSession({ session }, call)).rejects.toMatchObject({
      kind: 'session_ended',
    });
  });

  it('a lookup finds nothing if a crash left its key with the ID of a different operation', async () => {
    const folder = await makeTempFolder();
    const clock = createManualClock();
    const { provider } = await open(clock, folder);
    const { profileId, ...session } = await signIn(provider);
    const call = { signal: new AbortController().signal };
    const input = { session, profileId, amount: 1500, latitude: 1, longitude: 1 };
    const made = await provider.createQr(input, { ...call, idempotencyKey: 'made' });
    const { Id: id } = made.Data as { Id: number };
    const store = await openSandboxStore(folder, clock);
    const [{ organizationId = 0 } = {}] = await store.operations(() => true);
    await store.remember(paymentKey(organizationId, 'qr', 'lost'), id);
    const lookup = (idempotencyKey: string) =>
      provider.lookup({ session, operation: 'qr/create' }, { ...call, idempotencyKey });
    expect(await lookup('made')).toEqual(made);
    await expect(lookup('lost')).rejects.toMatchObject({ code: 'not_found' });
    await store.close();
  });

  it('concurrent refunds by two processes do not exceed the paid amount', async () => {
    const folder = await makeTempFolder();
    const clock = createManualClock();
    const [one, two] = [await open(clock, folder), await open(clock, folder)];
    const { profileId, ...session } = await signIn(one.provider);
    const call = { signal: new AbortController().signal };
    const made = await one.provider.createQr(
      { session, profileId, amount: 100, latitude: 1, longitude: 1 },
      call,
    );
    const { Id: qrOperationId } = made.Data as { Id: number };
    await clock.advance(4000);
    const refunds = [one, two, one, two, one].map(({ provider }) =>
      provider.refund({ session, qrOperationId, returnAmount: 30 }, call),
    );
    const settled = await Promise.allSettled(refunds);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  });
});
