import { stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolders } from '../../../src/base/files/make-folders.js';
import { makeTempFolder } from '../../helpers/temp-folder.js';

const mode = 0o700;

describe('making folders', () => {
  it('makes the parents that are missing and tells the first one made', async () => {
    const base = await makeTempFolder();
    const path = join(base, 'a', 'b', 'c');
    expect(await makeFolders(path, { mode })).toBe(join(base, 'a'));
    expect((await stat(path)).mode & 0o777).toBe(mode);
    expect(await makeFolders(path, { mode })).toBeUndefined();
  });

  it('takes a link to a folder for one, and a file for none', async () => {
    const base = await makeTempFolder();
    await symlink('.', join(base, 'link'));
    expect(await makeFolders(join(base, 'link'), { mode })).toBeUndefined();
    await writeFile(join(base, 'file'), '');
    await expect(makeFolders(join(base, 'file'), { mode })).rejects.toThrow('EEXIST');
    await expect(makeFolders(join(base, 'file', 'in'), { mode })).rejects.toThrow('ENOTDIR');
  });

  it.runIf(process.platform === 'linux')(
    'comes to an end where a file system takes no folders',
    async () => {
      await expect(makeFolders('/proc/nope/deeper', { mode })).rejects.toMatchObject({
        code: 'ENOENT',
      });
    },
  );
});
