import { describe, expect, it } from 'vitest';
import { type FoundFolder, readHistory } from './disk-history.js';
import { byteChoices, cutPower, nameChoices, type PowerCut } from './power-cut.js';
import { createRandom } from './random.js';
import type { Operation } from './trace.js';

type Step = Operation extends infer Each
  ? Each extends Operation
    ? Omit<Each, 'begin' | 'end'>
    : never
  : never;

const bytes = (text: string) => Buffer.from(text);
const create = (path: string): Step => ({
  op: 'open',
  path: `/data/${path}`,
  flags: 'wx',
  handle: path,
});
const write = (handle: string, text: string, position = 0): Step => ({
  op: 'write',
  handle,
  position,
  data: bytes(text),
});
const sync = (handle: string): Step => ({ op: 'sync', handle });
const rename = (from: string, to: string): Step => ({
  op: 'rename',
  from: `/data/${from}`,
  path: `/data/${to}`,
});
const unlink = (path: string): Step => ({ op: 'unlink', path: `/data/${path}` });
const mkdir = (path: string): Step => ({ op: 'mkdir', path: `/data/${path}`, recursive: false });
const syncFolder = (path: string): Step[] => [
  { op: 'open', path: `/data/${path}`, flags: 'r', handle: `folder ${path}` },
  { op: 'sync', handle: `folder ${path}` },
];
/** Returns the steps that store a file with a synced name and content. */
const stored = (path: string, text: string): Step[] => [
  create(path),
  write(path, text),
  sync(path),
  ...syncFolder(''),
];

/** Returns the steps as sequential operations: the first one from 0 to 1, the second one from 2 to 3. */
const inTurn = (steps: readonly Step[]): Operation[] =>
  steps.map((step, index) => ({ ...step, begin: 2 * index, end: 2 * index + 1 }));

function texts(found: FoundFolder, path = ''): Record<string, string> {
  const all = [...found.files].map(([name, file]) => [
    path + name,
    Buffer.from(file.bytes).toString(),
  ]);
  const below = [...found.folders].map(([name, folder]) => texts(folder, `${path}${name}/`));
  return Object.assign(Object.fromEntries(all), ...below);
}

/** Returns the states that a power cut may leave, using many seeds. */
function possible(steps: readonly Step[] | readonly Operation[], cut: Partial<PowerCut> = {}) {
  const first = steps[0];
  const operations = first && 'begin' in first ? (steps as readonly Operation[]) : inTurn(steps);
  const history = readHistory(operations, '/data');
  const found = new Map<string, Record<string, string>>();
  for (let seed = 0; seed < 400; seed += 1) {
    const random = createRandom(String(seed));
    const names = cut.names ?? random.of(nameChoices);
    const pages = cut.bytes ?? random.of(byteChoices);
    const at = cut.at ?? Number.MAX_VALUE;
    const state = texts(cutPower(history, { at, names, bytes: pages }, random));
    found.set(JSON.stringify(state), state);
  }
  return [...found.values()];
}

describe('file names after a power cut', () => {
  it('may be lost if they were not synced', () => {
    expect(possible([create('a')])).toEqual(expect.arrayContaining([{}, { a: '' }]));
  });

  it('survive if they were synced before the cut', () => {
    const steps = [create('a'), ...syncFolder(''), unlink('a')];
    expect(possible(steps, { at: 4.5 })).toEqual(expect.arrayContaining([{ a: '' }, {}]));
    expect(possible(steps, { at: 4 })).toEqual(expect.arrayContaining([{ a: '' }]));
    expect(possible([...steps, ...syncFolder('')])).toEqual([{}]);
  });

  it('may be lost if the sync started before the creation or did not end', () => {
    const [open, flush] = inTurn(syncFolder('')) as [Operation, Operation];
    const made = { ...create('a'), begin: 2, end: 4 };
    const early = [open, made, { ...flush, begin: 3, end: 5 }];
    expect(possible(early)).toEqual(expect.arrayContaining([{}, { a: '' }]));
    const late = [open, made, { ...flush, begin: 5, end: 9 }];
    expect(possible(late, { at: 8 })).toEqual(expect.arrayContaining([{}, { a: '' }]));
    expect(possible(late, { at: 9 })).toEqual([{ a: '' }]);
  });

  it('are either the old or the new ones after a rename', () => {
    const steps = [...stored('a', '1'), rename('a', 'b')];
    expect(possible(steps)).toHaveLength(2);
    expect(possible(steps)).toEqual(expect.arrayContaining([{ a: '1' }, { b: '1' }]));
    const replaced = [...stored('a', '1'), ...stored('b', '2'), rename('a', 'b')];
    expect(possible(replaced)).toHaveLength(2);
    expect(possible(replaced)).toEqual(expect.arrayContaining([{ a: '1', b: '2' }, { b: '1' }]));
  });

  it('survive in any order, or in the order of their folder', () => {
    const steps = [create('a'), create('b')];
    expect(possible(steps, { names: 'any' })).toHaveLength(4);
    const inOrder = possible(steps, { names: 'in order of folders' });
    expect(inOrder).toHaveLength(3);
    expect(inOrder).not.toContainEqual({ b: '' });
  });

  it('survive in a new folder only with the folder itself', () => {
    const inside = [mkdir('f'), create('f/a'), ...syncFolder('f')];
    expect(possible(inside)).toEqual(expect.arrayContaining([{}, { 'f/a': '' }]));
    expect(possible([...inside, ...syncFolder('')])).toEqual([{ 'f/a': '' }]);
  });

  it('remain moved if their old folder was removed', () => {
    const steps = [mkdir('f'), mkdir('g'), create('f/a'), ...syncFolder('f'), ...syncFolder('')];
    const moved = [...steps, rename('f/a', 'g/a'), { op: 'rmdir', path: '/data/f' } as Step];
    expect(possible(moved)).toEqual(expect.arrayContaining([{ 'f/a': '' }, { 'g/a': '' }]));
    expect(possible([...moved, ...syncFolder('')])).toEqual([{ 'g/a': '' }]);
  });

  it('may survive without the bytes of the file', () => {
    const steps = [create('a'), write('a', 'text'), ...syncFolder('')];
    expect(possible(steps)).toEqual(
      expect.arrayContaining([{ a: '' }, { a: 'text' }, { a: '\0\0\0\0' }]),
    );
  });
});

describe('bytes of a file after a power cut', () => {
  const long = 'x'.repeat(512) + 'y'.repeat(512);

  it('survive if they were synced, regardless of bytes that are appended later', () => {
    const found = possible([...stored('a', 'one\n'), write('a', 'two\n', 4)]);
    expect(found.every(({ a = '' }) => a.startsWith('one\n'))).toBe(true);
    expect(found).toEqual(expect.arrayContaining([{ a: 'one\n' }, { a: 'one\ntwo\n' }]));
  });

  it('survive in any combination of pages if they were not synced', () => {
    const found = possible([create('a'), ...syncFolder(''), write('a', long)], { bytes: 512 });
    const zeros = '\0'.repeat(512);
    const [first, second] = [long.slice(0, 512), long.slice(512)];
    const expected = [
      first + second,
      zeros + second,
      first + zeros,
      zeros + zeros,
      first,
      zeros,
      '',
    ];
    expect(found).toHaveLength(expected.length);
    expect(found).toEqual(expect.arrayContaining(expected.map((a) => ({ a }))));
  });

  it('are the old or the new ones if they were overwritten', () => {
    const steps = [...stored('a', long), write('a', long.toUpperCase())];
    const found = possible(steps, { bytes: 512 });
    const [first, second] = [long.slice(0, 512), long.slice(512)];
    expect(found).toHaveLength(4);
    expect(found).toContainEqual({ a: first + second.toUpperCase() });
  });

  it('may return after a truncation until it is synced', () => {
    const steps: Step[] = [
      ...stored('a', 'one\ntwo\n'),
      { op: 'truncate', handle: 'a', length: 4 },
    ];
    expect(possible(steps)).toEqual(
      expect.arrayContaining([{ a: 'one\n' }, { a: 'one\ntwo\n' }, { a: 'one\n\0\0\0\0' }]),
    );
    expect(possible([...steps, sync('a')])).toEqual([{ a: 'one\n' }]);
  });
});

describe('operations of several processes', () => {
  it('are sorted into an order in which each can have succeeded', () => {
    const removed = { ...unlink('a'), begin: 11, end: 20 };
    const made = { ...create('a'), handle: 'other', begin: 12, end: 13 };
    const operations = [...inTurn([create('a')]), made, removed];
    const history = readHistory(operations, '/data');
    const whole = { at: Number.MAX_VALUE, names: 'cache', bytes: 'cache' } as const;
    expect(texts(cutPower(history, whole, createRandom('')))).toEqual({ a: '' });
  });

  it('are rejected if they contradict each other', () => {
    expect(() => readHistory(inTurn([unlink('a')]), '/data')).toThrow('is contradictory');
  });
});
