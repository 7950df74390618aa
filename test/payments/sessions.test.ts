import { expect, it } from 'vitest';
import { silentLog } from '../../src/base/log.js';
import type { PaymentProvider } from '../../src/payments/providers/provider.js';
import { createSessionVault } from '../../src/payments/sessions/session-vault.js';
import { createSessions } from '../../src/payments/sessions/sessions.js';
import { openJsonSessionStore } from '../../src/payments/store-json/session-store.js';
import { createManualClock } from '../helpers/manual-clock.js';
import { makeTempFolder } from '../helpers/temp-folder.js';

it('of too many sessions the oldest are ended, here and at the provider, and stay where payments need them', async () => {
  const clock = createManualClock();
  const store = await openJsonSessionStore(await makeTempFolder(), clock, () => {});
  const ended: string[] = [];
  const provider = {
    endSession: async ({ session }: { session: { tokenSN: string } }) => {
      ended.push(session.tokenSN);
      return { StatusCode: 0 };
    },
  } as unknown as PaymentProvider; // Nothing else is asked of it.
  const needed = new Set<string>();
  const sessions = createSessions({
    store,
    vault: createSessionVault('a key that only tests use'),
    provider,
    clock,
    log: silentLog(),
    hasOpenPayments: async (id) => needed.has(id),
    most: 3,
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
