// Measures moving data: a process with a small heap exports, imports and moves ten times as many messages. The
// memory must not grow, and the time must grow linearly.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { seed } from './lib/seed.mjs';
import { withTemporary } from './lib/temporary.mjs';

const program = fileURLToPath(new URL('../bin/msgsite.js', import.meta.url));
const few = 20_000;
const many = 200_000;
/** Heap size in MB. All lines of a deployment would require several times as much. */
const heap = 48;

export async function run() {
  const small = await measure(few);
  const large = await measure(many);
  return ['export', 'import', 'move'].map((step) => ({
    name: `${step}, time per message with ${many} compared with ${few} messages, ${heap} MB of heap`,
    ratio: large[step] / many / (small[step] / few),
    aim: 1.25,
    atMost: true,
  }));
}

/** Returns the seconds of each step with this many messages. */
async function measure(messages) {
  return withTemporary(async ({ folder }) => {
    const [data, file] = [join(folder, 'data'), join(folder, 'export.jsonl')];
    await seed(data, { users: 100, chats: 100, messages });
    return {
      export: await time(['data', 'export', '--data', data, '-o', file]),
      import: await time(['data', 'import', file, '--data', join(folder, 'imported')]),
      move: await time(['data', 'move', '--data', data, '--to', join(folder, 'moved')]),
    };
  });
}

async function time(words) {
  const started = performance.now();
  const child = spawn(process.execPath, [`--max-old-space-size=${heap}`, program, ...words], {
    stdio: 'ignore',
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`msgsite ${words.join(' ')} exited with code ${code}.`);
  return (performance.now() - started) / 1000;
}
