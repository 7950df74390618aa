import { describe, expect, it } from 'vitest';
import type { AuditQuery, AuditStore } from '../../src/audit/store.js';
import type { AuditLine, PendingAct } from '../../src/base/audit.js';
import type { ManualClock } from '../helpers/manual-clock.js';
import { createManualClock } from '../helpers/manual-clock.js';
import { act, auditLine } from './samples.js';

/** An audit log that a test can open as several processes. */
export interface AuditUnderTest {
  open(): Promise<AuditStore>;
  /** Simulates that the process of a store is killed. */
  kill(store: AuditStore): Promise<void>;
}

export async function linesOf(
  store: Pick<AuditStore, 'read'>,
  query: AuditQuery = {},
): Promise<AuditLine[]> {
  const lines: AuditLine[] = [];
  for await (const line of store.read(query)) lines.push(line);
  return lines;
}

/** Returns a function that concludes every action with an entry and records the action. */
export function concluding() {
  const recovered: PendingAct[] = [];
  const conclude = async (pending: PendingAct) => {
    recovered.push(pending);
    return auditLine(recovered.length, { id: `after ${pending.id}`, outcome: 'unknown' });
  };
  return { recovered, conclude };
}

/** Defines the tests that every audit log passes. `prepare` creates an empty one for each test. */
export function describeAuditStore(
  name: string,
  prepare: (clock: ManualClock) => Promise<AuditUnderTest>,
): void {
  async function fresh() {
    const clock = createManualClock();
    const under = await prepare(clock);
    return { ...under, here: await under.open(), there: await under.open() };
  }

  describe(`audit log entries on ${name}`, () => {
    it('are returned unchanged in order of time, regardless of the process that wrote them', async () => {
      const { here, there } = await fresh();
      const odd = auditLine(3, { who: 'a\0b "\\ 🙂', amount: null, ids: {}, outcome: 'failed' });
      await Promise.all([here.add(auditLine(4)), there.add(odd), here.add(auditLine(2))]);
      await there.add(auditLine(1));
      const expected = [auditLine(1), auditLine(2), odd, auditLine(4)];
      expect(await linesOf(here)).toEqual(expected);
      expect(await linesOf(there)).toEqual(expected);
    });

    it('are returned once even if they were written again', async () => {
      const { here, there } = await fresh();
      await here.add(auditLine(1));
      await there.add(auditLine(1));
      await here.add(auditLine(1));
      expect(await linesOf(here)).toEqual([auditLine(1)]);
    });

    it('can be filtered by period and kind', async () => {
      const { here } = await fresh();
      const lines = [1, 2, 3, 4].map((number) => auditLine(number));
      const refund = auditLine(5, { kind: 'refund' });
      await Promise.all([...lines, refund].map(here.add));
      const [, second, third, fourth] = lines;
      const period = { since: second?.time, until: fourth?.time };
      expect(await linesOf(here, period)).toEqual([second, third]);
      expect(await linesOf(here, { kinds: ['refund', 'invoice'] })).toEqual([refund]);
      expect(await linesOf(here, { kinds: ['invoice'] })).toEqual([]);
    });

    it('are returned after the storage is opened again', async () => {
      const { here, open } = await fresh();
      await here.add(auditLine(1));
      await here.close();
      const later = await open();
      await later.add(auditLine(2));
      expect(await linesOf(later)).toEqual([auditLine(1), auditLine(2)]);
    });
  });

  describe(`pending actions on ${name}`, () => {
    it('become entries only when they end', async () => {
      const { here, there } = await fresh();
      await here.begin(act('a'));
      expect(await linesOf(there)).toEqual([]);
      await here.end(act('a'), auditLine(1));
      expect(await linesOf(there)).toEqual([auditLine(1)]);
    });

    it('are not recovered while their process is running', async () => {
      const { here, there } = await fresh();
      const { recovered, conclude } = concluding();
      await here.begin(act('a'));
      await there.recover(conclude);
      await here.recover(conclude);
      expect(recovered).toEqual([]);
    });

    it('are listed with their holder in the same order in every process', async () => {
      const { here, there, open } = await fresh();
      const third = await open();
      expect(await third.pending()).toEqual([]);
      await here.begin(act('a'));
      await there.begin(act('b'));
      const held = async (store: AuditStore) =>
        (await store.pending()).map(({ id, holder }) => [id, holder]);
      expect(await held(here)).toEqual([
        ['a', 'here'],
        ['b', 'elsewhere'],
      ]);
      expect(await held(there)).toEqual([
        ['a', 'elsewhere'],
        ['b', 'here'],
      ]);
      expect(await third.pending()).toEqual([
        { ...act('a'), holder: 'elsewhere' },
        { ...act('b'), holder: 'elsewhere' },
      ]);
      await here.end(act('a'), auditLine(1));
      expect(await held(there)).toEqual([['b', 'here']]);
    });

    it('are listed without a holder after their process has died, until they are concluded', async () => {
      const { here, there, kill } = await fresh();
      await here.begin(act('a'));
      await kill(here);
      expect(await there.pending()).toEqual([{ ...act('a'), holder: 'nobody' }]);
      await there.recover(concluding().conclude);
      expect(await there.pending()).toEqual([]);
      expect(await here.pending()).toEqual([]);
    });

    it('are recovered once by another process after their process has died', async () => {
      const { here, there, open, kill } = await fresh();
      const { recovered, conclude } = concluding();
      await here.begin(act('ended'));
      await here.end(act('ended'), auditLine(9));
      await Promise.all([here.begin(act('a')), here.begin(act('b'))]);
      await kill(here);
      const third = await open();
      await Promise.all([there.recover(conclude), third.recover(conclude)]);
      expect(recovered.sort((a, b) => (a.id < b.id ? -1 : 1))).toEqual([act('a'), act('b')]);
      // Two processes may conclude them in any order.
      expect((await linesOf(there)).map(({ id }) => id).sort()).toEqual(
        ['after a', 'after b', 'line-000009'].sort(),
      );
      await third.recover(conclude);
      expect(recovered).toHaveLength(2);
    });

    it('are recovered by another process after their store was closed without ending them', async () => {
      const { here, there } = await fresh();
      const { recovered, conclude } = concluding();
      await here.begin(act('a'));
      await here.close();
      await there.recover(conclude);
      expect(recovered).toEqual([act('a')]);
    });

    it('are recovered again if concluding them fails, and the others are concluded', async () => {
      const { here, there, kill } = await fresh();
      const { recovered, conclude } = concluding();
      await Promise.all([here.begin(act('a')), here.begin(act('b'))]);
      await kill(here);
      const failing = there.recover(async (pending) => {
        if (pending.id === 'a') throw new Error('not now');
        return conclude(pending);
      });
      await expect(failing).rejects.toThrow('not now');
      expect(recovered).toEqual([act('b')]);
      // A process later releases the actions that it could not conclude.
      await expect
        .poll(() => there.recover(conclude).then(() => recovered))
        .toEqual([act('b'), act('a')]);
    });

    it('are concluded while new ones start', async () => {
      const { here, there, kill } = await fresh();
      const { recovered, conclude } = concluding();
      await here.begin(act('a'));
      await kill(here);
      await Promise.all([there.begin(act('new')), there.recover(conclude)]);
      expect(recovered).toEqual([act('a')]);
      await there.end(act('new'), auditLine(5));
      expect(await linesOf(there)).toHaveLength(2);
    });
  });

  describe(`old audit log entries on ${name}`, () => {
    it('are removed without removing newer ones', async () => {
      const { here, there } = await fresh();
      await here.add(auditLine(1));
      await here.close();
      await there.removeBefore(auditLine(2).time);
      await there.add(auditLine(2));
      await there.removeBefore(auditLine(2).time);
      expect(await linesOf(there)).toEqual([auditLine(2)]);
    });

    it('are removed without removing pending actions', async () => {
      const { here, there, kill } = await fresh();
      const { recovered, conclude } = concluding();
      await here.begin(act('a'));
      await here.add(auditLine(1));
      await here.removeBefore(auditLine(2).time);
      expect(await linesOf(there)).toEqual([]);
      await kill(here);
      await there.recover(conclude);
      expect(recovered).toEqual([act('a')]);
    });
  });
}
