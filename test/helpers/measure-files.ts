import { appendFileSync, readFileSync } from 'node:fs';
import { afterAll, expect } from 'vitest';

/**
 * Appends one JSON line per test file to the file that MSGSITE_TEST_TIMES names: its wall and processor time in
 * seconds, including those of the processes that it started and waited for.
 */
const output = process.env.MSGSITE_TEST_TIMES;

if (output) {
  const wallBefore = performance.now();
  const processorBefore = processorTime();
  afterAll(() => {
    const file = expect.getState().testPath?.split('/test/').at(-1);
    const wall = (performance.now() - wallBefore) / 1000;
    const processor = processorTime() - processorBefore;
    const line = { file, wall: Number(wall.toFixed(2)), processor: Number(processor.toFixed(2)) };
    appendFileSync(output, `${JSON.stringify(line)}\n`);
  });
}

/** Returns the seconds of processor time of this process and of its ended children (proc_pid_stat(5)). */
function processorTime(): number {
  try {
    const [, rest = ''] = readFileSync('/proc/self/stat', 'utf8').split(') ');
    const ticks = rest.split(' ').slice(11, 15).map(Number);
    return ticks.reduce((sum, each) => sum + each, 0) / 100;
  } catch {
    // Only Linux has this file.
    return Number.NaN;
  }
}
