import { lstat, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { runCli } from '../helpers/run-cli.js';
import { makeTempFolder } from '../helpers/temp-folder.js';

let cwd: string;
beforeEach(async () => {
  cwd = await makeTempFolder();
});

const put = (name: string, text: string) => writeFile(join(cwd, name), text);
const read = (name: string) => readFile(join(cwd, name), 'utf8');
const validate = (...words: readonly string[]) => runCli(['validate-screen', ...words], { cwd });

const product = '"product": {"name": "Lots", "entity": "lot"}';

it('mends what has one right answer, and leaves all else as it is written', async () => {
  await put(
    'a.screen.json',
    `\ufeff{\r\n\t${product},\r\n\t"layout": "cockpit", "filterKeys": ["new"],\r\n\t"kpis": [{"value": "1.0", "label": "Open", "hnit": "of 40"}]\r\n}\r\n`,
  );
  await put('b.screen.json', `{${product}}`);
  const { exitCode, stdout, stderr } = await validate('.', '--fix', '--max-warnings', '0');
  expect(stderr).toContain('Mended 3 findings in 1 file.');
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining('nothing to report in 2 files')]);
  expect(await read('a.screen.json')).toBe(
    `\ufeff{\r\n\t${product},\r\n\t"archetype": "cockpit",\r\n\t"kpis": [{"value": "1.0", "label": "Open", "hint": "of 40"}]\r\n}\r\n`,
  );
  expect(await read('b.screen.json')).toBe(`{${product}}`);
});

it('reports and counts what is left', async () => {
  await put('a.json', `{${product}, "layout": "queue", "scenario": {"headline": "x"}}`);
  const { exitCode, stdout } = await validate('a.json', '--fix', '--json');
  expect(exitCode).toBe(1);
  const [file] = JSON.parse(stdout).files;
  expect(file.errors).toHaveLength(1);
  expect(file.warnings.map(({ rule }: { rule: string }) => rule)).not.toContain(
    'deprecated-property',
  );
  expect(await read('a.json')).toContain('"archetype": "queue"');
});

it('touches no file that is named twice within, and none that is no JSON', async () => {
  const twice = `{${product}, "layout": "queue", "layout": "cockpit"}`;
  await put('twice.json', twice);
  await put('broken.json', `{${product}, "layout": "queue"`);
  const { stderr } = await validate('twice.json', 'broken.json', '--fix');
  expect(stderr).toContain('Mended 0 findings in 0 files.');
  expect(await read('twice.json')).toBe(twice);
});

it('writes through a link, which stays one', async () => {
  await put('real.json', `{${product}, "layout": "queue"}`);
  await symlink('real.json', join(cwd, 'link.json'));
  await validate('link.json', '--fix');
  expect((await lstat(join(cwd, 'link.json'))).isSymbolicLink()).toBe(true);
  expect(await read('real.json')).toBe(`{${product}, "archetype": "queue"}`);
});

it('leaves what is accepted alone', async () => {
  const text = `{${product}, "layout": "queue"}`;
  await put('a.screen.json', text);
  await put('.msgsite-screens.json', '{"ignore": [{"rule": "deprecated-property"}]}');
  await validate('.', '--fix');
  expect(await read('a.screen.json')).toBe(text);
});

it.each([[['-', '--fix']], [['.', '--fix', '--watch']]])('refuses %j', async (words) => {
  await put('a.screen.json', `{${product}}`);
  expect((await validate(...words)).exitCode).toBe(2);
});
