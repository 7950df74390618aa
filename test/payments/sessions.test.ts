import { describe, expect, it } from 'vitest';
import { silentLog } from '../../src/base/log.js';
import type { PaymentProvider } from '../../src/payments/providers/provider.js';
import { createSessionVault } from '../../src/payments/sessions/session-vault.js';
import { createSessions } from '../../src/payments/sessions/sessions.js';
import { openJsonSessionStore } from '../../src/payments/store-json/open.js';
import { createManualClock, type ManualClock } from '../helpers/manual-clock.js';
import { openRecordedLog } from '../helpers/recorded-log.js';
import { makeTempFolder } from '../helpers/temp-folder.js';

it('the oldest of too many sessions are ended here and at the provider unless payments require them', async () => {
  const clock = createManualClock();
  const store = await openJsonSessionStore(await makeTempFolder(), clock, () => {});
  const ended: string[] = [];
  const provider = {
    endSession: async ({ session }: { session: { tokenSN: string } }) => {
      ended.push(session.tokenSN);
      return { StatusCode: 0 };
    },
  } as unknown as PaymentProvider; // Nothing else is called.
  const needed = new Set<string>();
  const sessions = createSessions({
    store,
    vault: createSessionVault('a key that only tests use'),
    provider,
    clock,
    log: silentLog(),
    hasOpenPayments: async (id) => needed.has(id),
    max: 3,
  });
  const kept: string[] = [];
  for (const tokenSN of ['a', 'b', 'c', 'd', 'e']) {
    const facts = { tokenSN, secret: 's', organizationId: 1, profileId: 1, orgName: '', phone: '' };
    const capabilities = { idempotent: false, lookup: false };
    const rest = { step: 'finished', message: '', organizations: [], capabilities };
    kept.push((await sessions.add({ ...facts, ...rest })).id);
    await clock.advance(1);
  }
  needed.add(kept[0] ?? '');
  await sessions.eraseEnded();
  const open = async () => {
    const found = [];
    for (const tokenSN of ['a', 'b', 'c', 'd', 'e'])
      if (await sessions.isOpen(tokenSN)) found.push(tokenSN);
    return found;
  };
  expect(await open()).toEqual(['c', 'd', 'e']);
  expect(ended).toEqual(['b']);
  needed.clear();
  await sessions.eraseEnded();
  expect(ended).toEqual(['b', 'a']);
  expect((await store.ids()).length).toBe(3);
});

describe('a session that the provider ended', () => {
  async function open(folder: string, clock: ManualClock) {
    const { log, lines } = await openRecordedLog();
    let counted = 0;
    const sessions = createSessions({
      store: await openJsonSessionStore(folder, clock, () => {}),
      vault: createSessionVault('a key that only tests use'),
      provider: {} as PaymentProvider, // It is not called.
      clock,
      log,
      hasOpenPayments: async () => true,
      onEnded: () => {
        counted += 1;
      },
    });
    return { sessions, lines, counted: () => counted };
  }

  const facts = (tokenSN: string) => ({
    ...{ tokenSN, secret: 's', organizationId: 17, profileId: 3, orgName: '', phone: '' },
    ...{ step: 'finished', message: '', organizations: [] },
    capabilities: { idempotent: false, lookup: false },
  });

  it('is logged and counted once by one process, regardless of how many calls detect it', async () => {
    const [folder, clock] = [await makeTempFolder(), createManualClock()];
    const [here, there] = [await open(folder, clock), await open(folder, clock)];
    const { id } = await here.sessions.add(facts('a'));
    await Promise.all([1, 2, 3].map(() => here.sessions.markEnded(id)));
    await here.sessions.markEnded(id);
    await there.sessions.markEnded(id);
    expect([here.counted(), there.counted()]).toEqual([1, 0]);
    expect(here.lines).toMatchObject([{ level: 'warn', organization: 17, cashier: 3 }]);
    expect(here.lines[0]?.msg).toContain('must sign in again');
    expect(there.lines).toEqual([]);
  });

  it('is neither logged nor counted if it had already been logged out', async () => {
    const { sessions, lines, counted } = await open(await makeTempFolder(), createManualClock());
    const { id, vtokenSecret } = await sessions.add(facts('a'));
    await sessions.logOut(await sessions.authenticate('a', vtokenSecret));
    await sessions.markEnded(id);
    expect([lines, counted()]).toEqual([[], 0]);
  });
});
