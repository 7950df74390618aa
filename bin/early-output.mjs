// Text for standard output and standard error before they are opened: to open one, Node.js loads its network stack,
// which takes longer than a small command. What such a command says is written at its end in one go.
import { fstatSync, statSync, writeSync } from 'node:fs';

/** Bytes that a pipe or socket takes at once on every system, if nothing waits in it. */
const roomInPipe = 8 * 1024;

/** `onError` hears of both streams once they are open. */
export function createEarlyOutput(onError) {
  const waiting = [];
  let isOpen = false;

  /** Opens both, and hands them what waits. */
  const open = () => {
    if (isOpen) return;
    isOpen = true;
    for (const name of ['stdout', 'stderr']) process[name].on('error', onError);
    for (const { name, text } of waiting.splice(0)) process[name].write(text);
  };

  const streamOf = (name, number) => {
    const isPlain = neverTerminal(number);
    return {
      isTTY: isPlain ? undefined : process[name].isTTY,
      columns: isPlain ? undefined : process[name].columns,
      write(text) {
        if (!isPlain) open();
        if (isOpen) return process[name].write(text);
        // A command that goes on after this is heard at once.
        if (waiting.length === 0) setImmediate(open);
        waiting.push({ name, number, text });
        return true;
      },
    };
  };

  return {
    stdout: streamOf('stdout', 1),
    stderr: streamOf('stderr', 2),
    open,
    /** Whether a pipe or socket has room for what waits, and nothing went to the streams themselves. */
    get isShort() {
      const bytes = waiting.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
      return !isOpen && bytes <= roomInPipe;
    },
    /** Writes what waits; false where it cannot be written but through the streams. Throws what the system says. */
    writeNow() {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const left = writeWhole(next.number, Buffer.from(next.text));
        if (left.length > 0) {
          waiting.unshift({ ...next, text: left });
          return false;
        }
      }
      return true;
    },
  };
}

/** Gives what a reader who wants to be waited for otherwise (`O_NONBLOCK`) does not take. */
function writeWhole(number, bytes) {
  let left = bytes;
  try {
    while (left.length > 0) left = left.subarray(writeSync(number, left));
  } catch (error) {
    if (error.code !== 'EAGAIN') throw error;
  }
  return left;
}

/** Whether it is a file, a pipe, a socket or nothing at all: what a terminal is, only Node.js can say. */
function neverTerminal(number) {
  if (process.platform === 'win32') return false;
  const stats = fstatSync(number);
  return !stats.isCharacterDevice() || stats.rdev === statSync('/dev/null').rdev;
}
