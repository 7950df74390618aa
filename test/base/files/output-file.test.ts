import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstat, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { writeOutputFile } from '../../../src/base/files/output-file.js';
import { makeTempFolder } from '../../helpers/temp-folder.js';

describe('an output file', () => {
  it('is created with the mode of the umask, and keeps its mode when it is replaced', async () => {
    const folder = await makeTempFolder();
    const kept = join(folder, 'kept');
    await writeFile(kept, 'old', { mode: 0o600 });
    await writeOutputFile(kept, 'new');
    await writeOutputFile(join(folder, 'made'), 'new');
    expect(await readFile(kept, 'utf8')).toBe('new');
    expect((await stat(kept)).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, 'made'))).mode & 0o600).toBe(0o600);
  });

  it('is written through a link, which remains, even if the target does not exist yet', async () => {
    const folder = await makeTempFolder();
    await writeFile(join(folder, 'target'), 'old');
    await symlink('target', join(folder, 'link'));
    await symlink('link', join(folder, 'link-to-link'));
    await symlink('missing', join(folder, 'dangling'));
    await writeOutputFile(join(folder, 'link-to-link'), 'through');
    await writeOutputFile(join(folder, 'dangling'), 'made');
    expect(await readFile(join(folder, 'target'), 'utf8')).toBe('through');
    expect(await readFile(join(folder, 'missing'), 'utf8')).toBe('made');
    for (const name of ['link', 'link-to-link', 'dangling']) {
      expect((await lstat(join(folder, name))).isSymbolicLink(), name).toBe(true);
    }
  });

  it('can be a named pipe, and its reader receives everything', async () => {
    const pipe = join(await makeTempFolder(), 'pipe');
    execFileSync('mkfifo', [pipe]);
    const reader = spawn('cat', [pipe], { stdio: ['ignore', 'pipe', 'inherit'] });
    const read = text(reader.stdout);
    await writeOutputFile(pipe, 'x'.repeat(200_000));
    expect(await read).toBe('x'.repeat(200_000));
    expect((await lstat(pipe)).isFIFO()).toBe(true);
  });

  it('can be an open file of the process, such as /dev/stdout', async () => {
    const folder = await makeTempFolder();
    const script = `import(${JSON.stringify(new URL('../../../dist/src/base/files/output-file.js', import.meta.url))})
      .then(({ writeOutputFile }) => writeOutputFile('/dev/stdout', 'a page'));`;
    const out = join(folder, 'out');
    execFileSync('sh', ['-c', '"$0" -e "$1" > "$2"', process.execPath, script, out]);
    expect(await readFile(out, 'utf8')).toBe('a page');
    const piped = spawn('sh', ['-c', '"$0" -e "$1" | cat', process.execPath, script]);
    const read = text(piped.stdout);
    await once(piped, 'close');
    expect(await read).toBe('a page');
  });

  it('is rejected if it is a folder or its folder does not exist', async () => {
    const folder = await makeTempFolder();
    await expect(writeOutputFile(folder, 'x')).rejects.toMatchObject({
      code: 'unreadable_input',
      message: `${folder} cannot be written (EISDIR).`,
    });
    const missing = join(folder, 'missing', 'file');
    await expect(writeOutputFile(missing, 'x')).rejects.toMatchObject({
      code: 'unreadable_input',
      message: `${missing} cannot be written (ENOENT).`,
    });
  });
});
