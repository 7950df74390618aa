// Counts the work of our code instead of timing it: how often each block runs, as V8 counts for coverage, and the sizes
// of the texts, lists and objects that built-in functions process. The counts are the same on any machine, regardless
// of its load.
import { Session } from 'node:inspector';

/** Starts counting. The code to count must be imported afterwards. `ours` selects scripts by their URL. */
export function startCounting(ours) {
  const session = new Session();
  session.connect();
  const post = (method, parameters) => {
    let answer;
    session.post(method, parameters, (error, result) => {
      if (error) throw new Error(error.message);
      answer = result;
    });
    return answer;
  };
  post('Profiler.enable');
  post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  const natives = countNatives();
  const take = () => {
    const counts = new Map();
    for (const { url, functions } of post('Profiler.takePreciseCoverage').result) {
      if (!ours(url)) continue;
      for (const { functionName, ranges } of functions) {
        const name = `${url.slice(url.lastIndexOf('/') + 1)} ${functionName}`;
        const count = ranges.reduce((sum, range) => sum + range.count, 0);
        if (count > 0) counts.set(name, (counts.get(name) ?? 0) + count);
      }
    }
    for (const [name, count] of natives.take()) counts.set(name, count);
    return counts;
  };
  return {
    /** Returns the number of steps of `work`, by function. */
    async stepsOf(work) {
      take();
      natives.on();
      try {
        await work();
      } finally {
        natives.off();
      }
      return take();
    },
  };
}

/** Methods that process the object that they are called on. */
const methods = [
  [
    Array.prototype,
    ['lastIndexOf', 'concat', 'splice', 'shift', 'unshift', 'join', 'reverse', 'flat'],
  ],
  [
    String.prototype,
    [
      'split',
      'normalize',
      'toLowerCase',
      'toUpperCase',
      'trim',
      'trimStart',
      'trimEnd',
      'replaceAll',
      'localeCompare',
      'matchAll',
    ],
  ],
];

/** Functions that process their argument. */
const functions = [
  [Object, ['keys', 'values', 'entries', 'fromEntries', 'assign']],
  [JSON, ['parse']],
  [Array, ['from']],
];

function sizeOf(value) {
  if (typeof value === 'string' || Array.isArray(value)) return value.length;
  if (value instanceof Map || value instanceof Set) return value.size;
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  for (const _ in value) count++;
  return count;
}

/** Counts the sizes of the values that built-in functions process; for searches, up to the result. */
function countNatives() {
  const counts = new Map();
  let counting = false;
  const note = (name, size) => {
    if (counting) counts.set(name, (counts.get(name) ?? 0) + size);
  };
  const wrap = (owner, name, label, sizeFor) => {
    const original = owner[name];
    const counted = function (...words) {
      if (!counting) return Reflect.apply(original, this, words);
      counting = false;
      const result = Reflect.apply(original, this, words);
      const size = sizeFor(this, words, result);
      counting = true;
      note(label, size);
      return result;
    };
    Object.defineProperty(owner, name, { value: counted, writable: true, configurable: true });
  };
  const passed = (subject, place, from = 0) =>
    Math.max(0, (place < 0 ? subject.length : place + 1) - Math.max(0, from));
  for (const [owner, names] of methods) {
    const subjects = owner === Array.prototype ? 'lists' : 'texts';
    for (const name of names) wrap(owner, name, `${name} of ${subjects}`, sizeOf);
    const { indexOf } = owner;
    for (const name of ['indexOf', 'includes']) {
      wrap(owner, name, `${name} of ${subjects}`, (subject, words) =>
        passed(subject, Reflect.apply(indexOf, subject, words), words[1]),
      );
    }
  }
  wrap(Array.prototype, 'slice', 'slice of lists', (_subject, _words, result) => result.length);
  for (const [owner, names] of functions) {
    for (const name of names)
      wrap(owner, name, `${owner.name ?? 'JSON'}.${name}`, (_, [given]) => sizeOf(given));
  }
  const { exec } = RegExp.prototype;
  RegExp.prototype.exec = function (text) {
    if (!counting) return Reflect.apply(exec, this, [text]);
    const from = this.global || this.sticky ? this.lastIndex : 0;
    const result = Reflect.apply(exec, this, [text]);
    const end = result ? result.index + result[0].length : this.sticky ? from : String(text).length;
    note('expressions', Math.max(0, end - from));
    return result;
  };
  wrap(Array.prototype, Symbol.iterator, 'for … of lists', (subject) => subject.length);
  return {
    on: () => {
      counting = true;
    },
    off: () => {
      counting = false;
    },
    take: () => {
      const taken = [...counts];
      counts.clear();
      return taken;
    },
  };
}
