// Records every change that a process makes to files in one folder: `node --import <this file>`.
//
// MSGSITE_TEST_TRACE_OF is the recorded folder. MSGSITE_TEST_TRACE is the folder of the traces, which contains one file
// per process. An operation writes one line when it starts and one when it ends (test/power-cut/trace.ts reads them).
// Times are CLOCK_MONOTONIC in nanoseconds, which all processes of a machine share. A change that cannot be recorded is
// marked by a separate line, because the trace is then incomplete.

import fs from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { join, resolve, sep } from 'node:path';
import { isMainThread } from 'node:worker_threads';

const promises = createRequire(import.meta.url)('node:fs/promises');
const { MSGSITE_TEST_TRACE: traces, MSGSITE_TEST_TRACE_OF: root } = process.env;

if (traces && root && isMainThread) await record(traces, root);

async function record(folder, watched) {
  const { openSync, writeSync, readdirSync } = fs;
  const now = () => Number(process.hrtime.bigint());
  const trace = openSync(join(folder, `${now()}-${process.pid}.trace`), 'ax');
  let operations = 0;
  let handles = 0;
  const opened = new WeakMap();
  const removing = new Set();

  const isWatched = (path) =>
    typeof path === 'string' &&
    (resolve(path) === watched || resolve(path).startsWith(watched + sep));
  const put = (line) => writeSync(trace, `${JSON.stringify(line)}\n`);

  function begin(operation) {
    operations += 1;
    put({ id: operations, ...operation, begin: now() });
    return operations;
  }

  /** Runs the operation between its two lines. `report` returns members that are known only afterwards. */
  async function written(operation, work, report = () => ({})) {
    const id = begin(operation);
    try {
      const result = await work();
      const end = now();
      put({ id, end, ...report(result) });
      return result;
    } catch (error) {
      put({ id, end: now(), error: error.code ?? 'error' });
      throw error;
    }
  }

  function onNames(name, paths, describe, report) {
    const original = promises[name];
    promises[name] = (...args) => {
      if (!args.slice(0, paths).some(isWatched)) return original(...args);
      return written(describe(...args), () => original(...args), report);
    };
  }

  const one = (op) => (path) => ({ op, path: resolve(path) });
  const two = (op) => (from, path) => ({ op, from: resolve(from), path: resolve(path) });
  onNames('rename', 2, two('rename'));
  onNames('link', 2, two('link'));
  onNames('unlink', 1, one('unlink'));
  onNames('rmdir', 1, one('rmdir'));
  onNames(
    'mkdir',
    1,
    (path, options) => ({ op: 'mkdir', path: resolve(path), recursive: !!options?.recursive }),
    (made) => (made === undefined ? {} : { made }),
  );
  onNames('rm', 1, (path, options) => {
    const names = options?.recursive ? namesBelow(resolve(path)) : [resolve(path)];
    // Node.js removes them one by one with the functions below.
    for (const name of names) removing.add(resolve(name));
    return { op: 'rm', path: resolve(path), names };
  });

  /** Returns all paths that a recursive removal removes, each folder after its content. */
  function namesBelow(path) {
    try {
      const inside = readdirSync(path, { withFileTypes: true });
      const names = inside.flatMap((entry) =>
        entry.isDirectory() ? namesBelow(join(path, entry.name)) : [join(path, entry.name)],
      );
      return [...names, `${path}${sep}`];
    } catch (error) {
      return error.code === 'ENOTDIR' ? [path] : [];
    }
  }

  const open = promises.open;
  promises.open = async (path, flags = 'r', mode = undefined) => {
    if (!isWatched(path)) return open(path, flags, mode);
    handles += 1;
    const handle = handles;
    const operation = { op: 'open', path: resolve(path), flags, handle };
    if (flags !== 'r') {
      const file = await written(operation, () => open(path, flags, mode));
      opened.set(file, { handle });
      return file;
    }
    // Most files are only read, so they are recorded when they are synced.
    const before = now();
    const file = await open(path, flags, mode);
    opened.set(file, { handle, unwritten: { ...operation, begin: before, end: now() } });
    return file;
  };

  const probe = await open(process.execPath, 'r');
  const prototype = Object.getPrototypeOf(probe);
  await probe.close();

  function onHandle(name, describe, report) {
    const original = prototype[name];
    prototype[name] = function (...args) {
      const known = opened.get(this);
      if (!known) return original.apply(this, args);
      if (known.unwritten) {
        const { end, ...operation } = known.unwritten;
        operations += 1;
        put({ id: operations, ...operation });
        put({ id: operations, end });
        delete known.unwritten;
      }
      const operation = { ...describe(...args), handle: known.handle };
      return written(operation, () => original.apply(this, args), report);
    };
  }

  onHandle(
    'write',
    (bytes, offset, length, position) => {
      if (
        typeof offset !== 'number' ||
        typeof length !== 'number' ||
        typeof position !== 'number'
      ) {
        return { op: 'unrecorded', what: 'write without a position' };
      }
      const data = Buffer.from(bytes.buffer, bytes.byteOffset + offset, length).toString('base64');
      return { op: 'write', position, data };
    },
    ({ bytesWritten }) => ({ done: bytesWritten }),
  );
  onHandle(
    'writev',
    (buffers, position) => {
      if (typeof position !== 'number')
        return { op: 'unrecorded', what: 'writev without a position' };
      const data = Buffer.concat(buffers).toString('base64');
      return { op: 'write', position, data };
    },
    ({ bytesWritten }) => ({ done: bytesWritten }),
  );
  onHandle('truncate', (length = 0) => ({ op: 'truncate', length }));
  onHandle('sync', () => ({ op: 'sync' }));
  onHandle('datasync', () => ({ op: 'sync' }));
  for (const name of ['writeFile', 'appendFile', 'createWriteStream']) {
    onHandle(name, () => ({ op: 'unrecorded', what: `FileHandle.${name}` }));
  }

  // A power cut restarts the machine, so the recorded processes belong to a previous boot.
  const readFile = promises.readFile;
  promises.readFile = (path, ...rest) =>
    path === '/proc/sys/kernel/random/boot_id'
      ? Promise.resolve('before-the-power-cut\n')
      : readFile(path, ...rest);

  function markUnrecorded(owner, name, label) {
    const original = owner[name];
    if (typeof original !== 'function') return;
    owner[name] = (...args) => {
      const isOurs = typeof args[0] === 'string' && removing.has(resolve(args[0]));
      if (!isOurs && args.slice(0, 2).some(isWatched)) {
        begin({ op: 'unrecorded', what: `${label}.${name}` });
      }
      return original(...args);
    };
  }
  for (const name of [
    'writeFile',
    'appendFile',
    'copyFile',
    'cp',
    'truncate',
    'symlink',
    'mkdtemp',
  ]) {
    markUnrecorded(promises, name, 'promises');
  }
  const onPaths = ['rename', 'link', 'unlink', 'rmdir', 'mkdir', 'rm', 'writeFile', 'appendFile'];
  for (const name of [...onPaths, 'copyFile', 'cp', 'truncate', 'symlink', 'mkdtemp']) {
    markUnrecorded(fs, name, 'fs');
    markUnrecorded(fs, `${name}Sync`, 'fs');
  }
  markUnrecorded(fs, 'createWriteStream', 'fs');
  for (const name of ['open', 'openSync']) {
    const original = fs[name];
    fs[name] = (path, flags, ...rest) => {
      const isReading = flags === undefined || flags === 'r' || typeof flags === 'function';
      const isReadingToo = typeof flags === 'number' && (flags & 3) === fs.constants.O_RDONLY;
      if (isWatched(path) && !isReading && !isReadingToo) {
        begin({ op: 'unrecorded', what: `fs.${name}` });
      }
      return original(path, flags, ...rest);
    };
  }
  syncBuiltinESMExports();
}
