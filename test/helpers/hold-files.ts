import type { EventEmitter } from 'node:events';
import promises, { type FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

/**
 * Tests in which a store dies in the test's own process leave its files open, like a crash. Other tests run in the same
 * process later, and Node.js treats a lost handle as an error, so this keeps all handles until the end.
 */
const key = Symbol.for('msgsite files held open');
const known = globalThis as { [key]?: Set<FileHandle> };

if (!known[key]) {
  const held = new Set<FileHandle>();
  known[key] = held;
  const { open } = promises;
  promises.open = async (...args) => {
    const file = await open(...args);
    held.add(file);
    // A handle emits `close`, which its types lack.
    const emitter = file as unknown as EventEmitter;
    emitter.once('close', () => held.delete(file));
    return file;
  };
  syncBuiltinESMExports();
}
