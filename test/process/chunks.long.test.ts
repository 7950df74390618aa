import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const folder = new URL('../../dist/chunks/', import.meta.url);

it('every chunk of the bundle can be loaded first', async () => {
  const chunks = await readdir(folder);
  expect(chunks.length).toBeGreaterThan(20);
  // Ink loads React's developer tools only with DEV=true, and the package does not install them.
  for (const name of chunks.filter((each) => !each.startsWith('devtools-'))) {
    const { href } = new URL(name, folder);
    await promisify(execFile)(process.execPath, ['--input-type=module', '-e', `import '${href}'`]);
  }
});
