import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { renderScreen } from '../../src/screens/render/render-screen.js';
import { runCli } from '../helpers/run-cli.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { queue } from './samples.js';

describe('render-screen', () => {
  it('writes the page to a file and prints its name', async () => {
    const cwd = await makeTempFolder();
    await writeFile(join(cwd, 'a.screen.json'), `\ufeff${JSON.stringify(queue)}`);
    const result = await runCli(
      ['render-screen', 'a.screen.json', '-o', 'a.html', '--locale', 'kk', '--json'],
      { cwd },
    );
    expect(result.exitCode).toBe(0);
    const page = await readFile(join(cwd, 'a.html'), 'utf8');
    expect(page).toBe(renderScreen(queue, { locale: 'kk' }));
    expect(JSON.parse(result.stdout)).toEqual({
      file: join(cwd, 'a.html'),
      bytes: Buffer.byteLength(page),
    });
  });

  it('reads stdin and writes the page to stdout, in English by default', async () => {
    const result = await runCli(['render-screen', '-'], { stdin: JSON.stringify(queue) });
    expect(result).toEqual({
      exitCode: 0,
      stdout: renderScreen(queue, { locale: 'en' }),
      stderr: '',
    });
  });

  it('rejects a definition that violates the contract, and lists every error', async () => {
    const stdin = '{"product": {"name": 1}}';
    const { exitCode, stdout, stderr } = await runCli(['render-screen', '-'], { stdin });
    expect(exitCode).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toContain('stdin:1:13 /product: ');
    expect(stderr).toContain('stdin:1:22 /product/name: ');
    expect(stderr).toContain('validate-screen');
  });

  it('rejects a file that is not JSON', async () => {
    const { exitCode, stderr } = await runCli(['render-screen', '-'], { stdin: '{"product":' });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('stdin:1:');
  });

  it.each([
    [['render-screen', 'missing.json'], 'missing.json cannot be read: it does not exist.'],
    [['render-screen', '-', '--locale', 'de'], 'locale'],
    [['render-screen'], "'file'"],
    [['render-screen', ''], 'The file name is empty'],
    [['preview-screen', ''], 'The file name is empty'],
    [['preview-screen', 'missing.json'], 'missing.json cannot be read: it does not exist.'],
    [['preview-screen', 'a.json', '--port', '70000'], '--port'],
  ])('reports %j as a usage error', async (argv, words) => {
    const cwd = await makeTempFolder();
    const { exitCode, stderr } = await runCli(argv, { cwd, stdin: '{}' });
    expect(exitCode).toBe(2);
    expect(stderr).toContain(words);
  });

  it('never overwrites the definition with its page, not even through links', async () => {
    const cwd = await makeTempFolder();
    const text = JSON.stringify(queue);
    await writeFile(join(cwd, 'a.screen.json'), text);
    await symlink('a.screen.json', join(cwd, 'link.json'));
    for (const [from, to] of [
      ['a.screen.json', './a.screen.json'],
      ['link.json', 'a.screen.json'],
      ['a.screen.json', 'link.json'],
    ] as const) {
      const { exitCode, stderr } = await runCli(['render-screen', from, '-o', to], { cwd });
      expect({ exitCode, stderr }).toEqual({
        exitCode: 2,
        stderr: expect.stringContaining(`its definition, ${from}`),
      });
    }
    expect(await readFile(join(cwd, 'a.screen.json'), 'utf8')).toBe(text);
  });

  it('reports a page that cannot be written', async () => {
    const cwd = await makeTempFolder();
    const argv = ['render-screen', '-', '-o', 'no/such/folder.html'];
    const { exitCode, stderr } = await runCli(argv, { cwd, stdin: JSON.stringify(queue) });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('cannot be written');
  });
});
