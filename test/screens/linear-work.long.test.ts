import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Work on a growing part of a definition, and the steps that it takes at one, two and four times a size. */
interface Growth {
  readonly name: string;
  readonly steps: readonly [number, number, number];
}

/** Doubling a list doubles linear work (slightly more for sorting) and quadruples quadratic work. */
const steepest = 2.5;

/** Tolerance as a share of the first count, because growth is not linear where a limit is reached. */
const tolerance = 0.2;

/** Returns true if the second doubling adds more than twice the work of the first. */
function growsTooMuch({ steps: [one, two, four] }: Growth): boolean {
  return four - two > steepest * (two - one) + tolerance * one;
}

let growths: readonly Growth[] = [];

// Uses its own process, because V8 counts only what is compiled after counting was enabled.
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
] as const)('judges whether the step counts %j grow more than linearly: %s', (steps, tooMuch) => {
  expect(growsTooMuch({ name: '', steps })).toBe(tooMuch);
});

describe('the work for a definition', () => {
  it('is measured for every part of a definition whose size can grow', () => {
    const names = growths.map(({ name }) => name);
    expect(names).toContain('check items of table/rows/*/_docs');
    expect(names).toContain('draw entries of statuses');
    expect(names).toContain('draw text of conclusion');
    expect(names.length).toBeGreaterThan(150);
    for (const { name, steps } of growths) {
      if (name.startsWith('check items')) expect(steps[2], name).toBeGreaterThan(steps[0]);
    }
  });

  it('grows at most linearly with the size of each part', () => {
    expect(growths.filter(growsTooMuch)).toEqual([]);
  });
});
