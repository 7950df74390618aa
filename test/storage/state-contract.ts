import { describe, expect, it } from 'vitest';
import type { StateStore } from '../../src/base/state.js';

/** A storage that a test can open as several processes. */
export interface StateUnderTest {
  open(): Promise<StateStore>;
}

const instance = (digit: string) => ({ id: digit.repeat(32) });

/** Describes the behaviour of every store of facts. `prepare` creates an empty one for each test. */
export function describeStateStores(name: string, prepare: () => Promise<StateUnderTest>): void {
  async function fresh() {
    const under = await prepare();
    return { here: await under.open(), there: await under.open() };
  }

  describe(`${name}: facts`, () => {
    it('are unknown until they are stored, and then the same in every process', async () => {
      const { here, there } = await fresh();
      expect(await here.find('instance')).toBeUndefined();
      expect(await here.change('instance', () => undefined)).toBeUndefined();
      expect(await there.find('instance')).toBeUndefined();
      expect(await here.change('instance', () => instance('a'))).toEqual(instance('a'));
      expect(await there.find('instance')).toEqual(instance('a'));
    });

    it('remain unchanged if a change returns nothing or throws', async () => {
      const { here, there } = await fresh();
      await here.change('instance', () => instance('a'));
      expect(await there.change('instance', () => undefined)).toEqual(instance('a'));
      const refusal = there.change('instance', () => {
        throw new Error('refused');
      });
      await expect(refusal).rejects.toThrow('refused');
      expect(await here.find('instance')).toEqual(instance('a'));
    });

    it('are not stored if they are invalid', async () => {
      const { here, there } = await fresh();
      await expect(here.change('instance', () => ({ id: 'short' }))).rejects.toThrow(/instance/);
      await here.change('instance', () => instance('a'));
      await expect(here.change('instance', () => ({ id: 'short' }))).rejects.toThrow(/instance/);
      expect(await there.find('instance')).toEqual(instance('a'));
    });

    it('are created once even if several processes create them simultaneously', async () => {
      const { here, there } = await fresh();
      const digits = ['1', '2', '3', '4', '5', '6', '7', '8'];
      const made = await Promise.all(
        digits.map((digit, index) =>
          (index % 2 ? here : there).change('instance', (before) => before ?? instance(digit)),
        ),
      );
      expect(new Set(made.map((each) => each?.id)).size).toBe(1);
      expect(await here.find('instance')).toEqual(made[0]);
    });

    it('are changed by one process at a time, and no change is lost', async () => {
      const { here, there } = await fresh();
      await here.change('instance', () => instance('0'));
      const increased = (id: string) => ({
        id: (BigInt(`0x${id}`) + 1n).toString(16).padStart(32, '0'),
      });
      const changes = Array.from({ length: 30 }, (_, index) =>
        (index % 2 ? here : there).change('instance', (before) => increased(before?.id ?? '0')),
      );
      await Promise.all(changes);
      expect(await here.find('instance')).toEqual({ id: (30).toString(16).padStart(32, '0') });
    });
  });
}
