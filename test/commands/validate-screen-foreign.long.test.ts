import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runCli } from '../helpers/run-cli.js';
import { makeTempFolder } from '../helpers/temp-folder.js';

const formats = ['pretty', 'json', 'sarif', 'junit', 'github', 'markdown'] as const;

/** Matches control characters except the line feed, including C1 codes, separators and direction marks. */
const controls = /(?!\n)[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
/** Matches workflow commands at any position. */
const command = /::[^\s:]|##[a-z]*\[/i;
/** Matches the beginning of a GitHub annotation, which is removed before the text is checked. */
const annotation = /^::(?:error|warning|notice)(?: file=[^,:]+(?:,[a-zA-Z]+=[^\s,:]+)*)?::/;

function assertHarmless(output: string, text: string): void {
  for (const line of text.split('\n')) {
    const words = output === 'github' ? line.replace(annotation, '') : line;
    expect({ output, found: controls.exec(words)?.[0] ?? command.exec(words)?.[0] }).toEqual({
      output,
    });
  }
}

const pieces = [
  '::',
  ':',
  '::error::x',
  ' ::stop-commands::x',
  '##[',
  '##vso[task.complete]x',
  '#',
  '[',
  '\u001b[2J',
  '\u009b31m',
  '\u0085',
  '\r',
  '\u202e',
  '\u2066',
  '\u061c',
  '\u200f',
  '\u2028',
  'a',
  ' ',
  '"',
  '<b>',
  '|',
  '`',
  '](http://evil.example)',
  '\ud83d\ude42',
  '%0A',
  'section_start:1:x\r\u001b[0K',
];
const text = fc
  .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 5 })
  .map((all) => all.join(''));
/** Generates file names without a slash. */
const name = text.map((words) => `${words.replaceAll('/', '-')}.screen.json`);

/** Returns a definition that contains the text in every location that a finding can quote. */
function definition(word: string): string {
  const value = {
    product: { name: `${word}${'x'.repeat(60)}`, entity: 'y', [word]: 1, view: word },
    archetype: word,
    [word]: 1,
    nav: [{ label: word, group: word, view: 'documents', docType: word }],
    kpis: [{ label: 'ROI', value: word }],
    statuses: { [word]: { label: 'a', tone: word } },
    scenario: { headline: 'a', control: 'b', approveTo: `${word}x` },
    table: {
      columns: [
        { key: 'a', label: 'A', type: 'status', values: [word, `${word}y`], width: word },
        { key: 'n', label: 'N', type: 'num' },
      ],
      rows: [{ id: word, a: `${word}z`, n: word, [word]: 1 }],
    },
    drawer: { titleKey: word },
    ai: { suggestions: [word], answers: { [`${word}q`]: 'x' } },
    user: 5,
  };
  // A duplicate key adds a finding of that kind.
  return JSON.stringify(value, null, 1).replace(/\}$/, `, "user": 6}`);
}

describe('hostile file names and definitions', () => {
  it('never act as terminal or CI commands in any format', { timeout: 120_000 }, async () => {
    const cwd = await makeTempFolder();
    await fc.assert(
      fc.asyncProperty(name, text, fc.boolean(), async (file, word, broken) => {
        const written = definition(word);
        await writeFile(join(cwd, file), broken ? `${written.slice(0, -1)} ${word}` : written);
        const targets = formats.flatMap((format) => ['--format', `${format}=out.${format}`]);
        const { stdout, stderr } = await runCli(['validate-screen', ...targets, '--', file], {
          cwd,
        });
        assertHarmless('stdout', stdout);
        assertHarmless('stderr', stderr);
        for (const format of formats)
          assertHarmless(format, readFileSync(join(cwd, `out.${format}`), 'utf8'));
        // JSON contains the original value.
        const report = JSON.parse(readFileSync(join(cwd, 'out.json'), 'utf8'));
        expect(report.files[0].file).toBe(file.replace(/^\.\//, ''));
      }),
      { numRuns: 60 },
    );
  });

  it('are still reported as GitHub annotations', async () => {
    const cwd = await makeTempFolder();
    const file = ' ::stop-commands::x.screen.json';
    await writeFile(join(cwd, file), '{"product": {"name": "::error::x"}}');
    const { stdout } = await runCli(['validate-screen', '--format', 'github', '--', file], { cwd });
    const [line = ''] = stdout.split('\n');
    expect(line).toMatch(annotation);
    expect(line).toContain('file= %3A%3Astop-commands%3A%3Ax.screen.json,line=1,');
  });

  it.each([
    ['--explain', ' ::stop-commands::x\u009b\u202e##[x]'],
    ['--format', '##vso[x]::y'],
    ['--max-warnings', '::x::\r'],
    ['--max-size', '##[group]\u001b'],
    ['--##[x]::y::.screen.json', 'a'],
    ['--config', ' ::x::\u202e.json'],
    ['##[x]::y::*.screen.json', '##[x]'],
  ])('never act as commands in the error for %s', async (...words) => {
    const cwd = await makeTempFolder();
    const { exitCode, stderr } = await runCli(['validate-screen', ...words], { cwd });
    expect(exitCode).toBe(2);
    assertHarmless('stderr', stderr);
  });

  it('never act as commands in configuration errors, as text or as JSON', async () => {
    const cwd = await makeTempFolder();
    await writeFile(join(cwd, 'a.screen.json'), '{}');
    for (const config of [
      { rules: { ' ::x::\u009b': 'off' }, '##[x]\u202e': 1 },
      '##vso[x] ::y::',
    ]) {
      const written = typeof config === 'string' ? config : JSON.stringify(config);
      await writeFile(join(cwd, '.msgsite-screens.json'), written);
      for (const more of [[], ['--json']]) {
        const { exitCode, stdout, stderr } = await runCli(
          ['validate-screen', ...more, 'a.screen.json'],
          { cwd },
        );
        expect(exitCode).toBe(2);
        assertHarmless('stdout', stdout);
        assertHarmless('stderr', stderr);
      }
    }
  });

  it('never act as commands in the page and the errors of render-screen', async () => {
    const cwd = await makeTempFolder();
    const word = ' ::stop-commands::x ##[y] ##vso[z]\u009b\u202e\u001b';
    const page = await runCli(['render-screen', '-'], {
      cwd,
      stdin: JSON.stringify({
        product: { name: 'x', entity: word, createLabel: 'c', purpose: word },
        table: { columns: [{ key: 'a', label: 'A' }], rows: [{ a: word }] },
        scenario: { headline: 'a', control: word },
      }),
    });
    expect(page.exitCode).toBe(0);
    const text = page.stdout.replace(/<(style|script)>[\s\S]*?<\/\1>/g, '');
    assertHarmless('page', text);
    expect(page.stdout).toContain(':&#58;stop-commands:&#58;x #&#35;[y]');
    const broken = await runCli(['render-screen', '-'], {
      cwd,
      stdin: `{"${word}": 1, "product": {}}`.replaceAll('\u001b', ''),
    });
    expect(broken.exitCode).toBe(1);
    assertHarmless('stderr', broken.stderr);
    const file = ' ::x::\u202e.json';
    assertHarmless('stderr', (await runCli(['render-screen', file], { cwd })).stderr);
    assertHarmless('stderr', (await runCli(['preview-screen', file], { cwd })).stderr);
  });
});
