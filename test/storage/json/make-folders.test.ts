import { stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolders } from '../../../src/base/files/file-layer.js';
import { makeTempFolder } from '../../helpers/temp-folder.js';

const mode = 0o700;

describe('makeFolders', () => {
  it('creates missing parents and returns the first one created', async () => {
    const base = await makeTempFolder();
    const path = join(base, 'a', 'b', 'c');
    expect(await makeFolders(path, { mode })).toBe(join(base, 'a'));
    expect((await stat(path)).mode & 0o777).toBe(mode);
    expect(await makeFolders(path, { mode })).toBeUndefined();
  });

  it('accepts a link to a folder, and rejects a file', async () => {
    const base = await makeTempFolder();
    await symlink('.', join(base, 'link'));
    expect(await makeFolders(join(base, 'link'), { mode })).toBeUndefined();
    await writeFile(join(base, 'file'), '');
    await expect(makeFolders(join(base, 'file'), { mode })).rejects.toThrow('EEXIST');
    await expect(makeFolders(join(base, 'file', 'in'), { mode })).rejects.toThrow('ENOTDIR');
  });

  it.runIf(process.platform === 'linux')(
    'fails without looping on a file system that does not allow new folders',
    async () => {
      await expect(makeFolders('/proc/nope/deeper', { mode })).rejects.toMatchObject({
        code: 'ENOENT',
      });
    },
  );
});
