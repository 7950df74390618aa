import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What grows and what is done with it, and the steps that it takes at one, two and four times a size. */
interface Growth {
  readonly name: string;
  readonly steps: readonly [number, number, number];
}

/** Twice a list is twice the work; sorting it is a little more, comparing each item with all others twice that. */
const steepest = 2.5;

/** What may be added besides, as a share of the first count: bounds that are reached on the way bend the line. */
const besides = 0.2;

/** Whether the second doubling added more work than twice what the first one did. */
function growsTooMuch({ steps: [one, two, four] }: Growth): boolean {
  return four - two > steepest * (two - one) + besides * one;
}

let growths: readonly Growth[] = [];

// A process of its own: V8 counts what is compiled after it was told to.
beforeAll(async () => {
  const run = promisify(execFile)(process.execPath, ['bench/lib/screen-steps.mjs'], { cwd: root });
  const { stdout } = await run;
  growths = stdout
    .trim()
    .split('\n')
    .map((line): Growth => JSON.parse(line));
});

it.each([
  [[1_000, 2_000, 4_000], false],
  [[1_000, 2_100, 4_600], false],
  [[1_000, 4_000, 16_000], true],
  [[10_000, 11_000, 16_000], true],
  [[10_000, 10_100, 11_000], false],
] as const)('steps of %j: more than in proportion %s', (steps, tooMuch) => {
  expect(growsTooMuch({ name: '', steps })).toBe(tooMuch);
});

describe('the work of a definition', () => {
  it('is counted for everything that the schema lets grow', () => {
    const names = growths.map(({ name }) => name);
    expect(names).toContain('check items of table/rows/*/_docs');
    expect(names).toContain('draw entries of statuses');
    expect(names).toContain('draw text of conclusion');
    expect(names.length).toBeGreaterThan(150);
    for (const { name, steps } of growths) {
      if (name.startsWith('check items')) expect(steps[2], name).toBeGreaterThan(steps[0]);
    }
  });

  it('at most doubles where one part of it is twice as large', () => {
    expect(growths.filter(growsTooMuch)).toEqual([]);
  });
});
