import { execFileSync } from 'node:child_process';
import { symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readInputStream, readRegularFile } from '../../../src/base/files/input-file.js';
import { makeTempFolder } from '../../helpers/temp-folder.js';

describe('an input file', () => {
  it('is read completely, even through a link or with a reported size of 0', async () => {
    const folder = await makeTempFolder();
    await writeFile(join(folder, 'file'), 'a'.repeat(100_000));
    await symlink('file', join(folder, 'link'));
    expect(readRegularFile(join(folder, 'link')).length).toBe(100_000);
    await writeFile(join(folder, 'empty'), '');
    expect(readRegularFile(join(folder, 'empty')).length).toBe(0);
    if (process.platform !== 'linux') return;
    expect(readRegularFile('/proc/self/status').toString()).toContain('Name:');
  });

  it('is rejected if it is larger than the limit, and accepted at the limit', async () => {
    const file = join(await makeTempFolder(), 'file');
    await writeFile(file, 'abcd');
    expect(readRegularFile(file, 4).toString()).toBe('abcd');
    expect(() => readRegularFile(file, 3)).toThrow('it is larger than 3 bytes');
    await truncate(file, 20 * 1024 * 1024 + 1);
    expect(() => readRegularFile(file)).toThrow('it is larger than 20 MB');
  });

  it('is rejected without waiting if it is a pipe, a device, a link to a device, a folder or missing', async () => {
    const folder = await makeTempFolder();
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    await symlink('/dev/zero', join(folder, 'zero'));
    await symlink('circle', join(folder, 'circle'));
    const reasons: Readonly<Record<string, string>> = {
      [join(folder, 'pipe')]: 'it is a named pipe, not a file',
      [join(folder, 'zero')]: 'it is a device, not a file',
      [join(folder, 'circle')]: 'its symbolic links form a loop',
      [folder]: 'it is a folder, not a file',
      [join(folder, 'missing')]: 'it does not exist',
    };
    for (const [path, reason] of Object.entries(reasons)) {
      expect(() => readRegularFile(path), path).toThrow(reason);
    }
  });

  it('has the same size limit when it is read from standard input', async () => {
    const chunks = () => Readable.from([Buffer.from('ab'), Buffer.from('cd')]);
    expect((await readInputStream(chunks(), 4)).toString()).toBe('abcd');
    await expect(readInputStream(chunks(), 3)).rejects.toThrow('it is larger than 3 bytes');
  });
});
