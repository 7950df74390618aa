import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { checkState } from './check-state.js';
import { createCutChooser } from './choose-cuts.js';
import { cutPower } from './power-cut.js';
import { createRandom } from './random.js';
import { type Recording, recordNext, recordWorkload } from './record.js';

const {
  MSGSITE_TEST_POWER_CUTS: wanted,
  MSGSITE_TEST_POWER_CUT_SEED: seed = String(Date.now()),
  MSGSITE_TEST_POWER_CUT_RECORDING: kept,
  MSGSITE_TEST_POWER_CUT_KIND: kind,
} = process.env;
/** The number of states to check, or their numbers (`#7,12`). */
const states = wanted?.startsWith('#')
  ? wanted.slice(1).split(',').map(Number)
  : numbersBelow(Number(wanted ?? 4));
/** Number of states to check with a real server process. The long run checks all states with one. */
const real = wanted === undefined ? 1 : Number.POSITIVE_INFINITY;
const concurrency = 2;
/** In the long run, one of this many states is used again until a second power cut. */
const nextEvery = 10;
/** Numbers of posts of each writer. In the long run, they fill the logs until these are moved and folded. */
const [short, long] = [16, 160];

function numbersBelow(end: number): number[] {
  return Array.from({ length: end }, (_, number) => number);
}

it(`the service has no lost, duplicate or torn data in ${states.length} states after a power cut (seed ${seed})`, async () => {
  const folder = await makeTempFolder();
  const recording = await recordWorkload(kept ?? folder, wanted === undefined ? short : long);
  onTestFinished(recording.close);
  const faulty: string[] = [];

  /** Cuts the power at a random time of a recording, and checks and returns the remaining state. */
  async function cut({ operations, history, ...rest }: Omit<Recording, 'close'>, name: string) {
    const random = createRandom(`${seed} ${name}`);
    const pattern = kind === undefined ? undefined : RegExp(kind);
    const choice = createCutChooser(operations, rest.book, pattern)(random);
    const { at, names, bytes } = choice;
    const state = cutPower(history, choice, random);
    const data = join(kept ?? folder, `state-${name}`);
    const isReal = Number.parseInt(name, 10) < real;
    const faults = await checkState({ ...rest, state, at, data, isReal });
    if (faults.length === 0) return { state, at };
    const some = faults.slice(0, 5).join('\n    ');
    faulty.push(`state ${name} (names: ${names}, bytes: ${bytes}):\n    ${some}`);
    console.log(faulty.at(-1));
    return undefined;
  }

  const waiting = [...states];
  const working = numbersBelow(concurrency).map(async () => {
    for (let number = waiting.shift(); number !== undefined; number = waiting.shift()) {
      const found = await cut(recording, String(number));
      if (!found || wanted === undefined || number % nextEvery !== nextEvery - 1) continue;
      const next = await recordNext(recording, found, join(folder, `next-${number}`));
      for (const letter of 'abcd') await cut(next, `${number}${letter}`);
    }
  });
  await Promise.all(working);
  expect(faulty.join('\n')).toBe('');
}, 7_200_000);
