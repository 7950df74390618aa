import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';

const script = new URL('../../scripts/lib/fold-packages.mjs', import.meta.url);
const { changedText } = await import(script.href);
const packages = fileURLToPath(new URL('../../node_modules', import.meta.url));

/** Letters, box drawings, combining marks, emoji and their joiners, Hangul, controls. */
const piece = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '▀',
    '▄',
    '█',
    '₸',
    '○',
    '✓',
    '✗',
    '·',
    '…',
    '⠋',
    'й',
    'ң',
    '\u0301',
    '\ufe0f',
    '\u200d',
    '\u20e3',
  ),
  fc.constantFrom(
    '❤',
    '👩',
    '🏽',
    '🇰',
    '🇿',
    '한',
    'ᄒ',
    'ᅡ',
    '漢',
    '1',
    '\u001b[31m',
    '\r',
    '\n',
    '\u00ad',
    '\u00a0',
  ),
);

test('the bundled string-width measures every text like the original package', async () => {
  const path = createRequire(join(packages, 'ink/build/index.js')).resolve('string-width');
  const folder = await mkdtemp(join(tmpdir(), 'msgsite-width-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const changed = join(folder, 'width.mjs');
  await symlink(join(packages, 'ink/node_modules'), join(folder, 'node_modules'));
  const text: string = changedText(path, await readFile(path, 'utf8'));
  // Packages that npm has hoisted are found only by their path.
  const higher = pathToFileURL(join(packages, 'get-east-asian-width/index.js')).href;
  await writeFile(changed, text.replace("'get-east-asian-width'", `'${higher}'`));
  const { default: original } = await import(pathToFileURL(path).href);
  const { default: quick } = await import(pathToFileURL(changed).href);
  const options = fc.record({ ambiguousIsNarrow: fc.boolean() });
  fc.assert(
    fc.property(fc.array(piece), options, (pieces, given) => {
      expect(quick(pieces.join(''), given)).toBe(original(pieces.join(''), given));
    }),
  );
  for (let code = 0; code < 0x3000; code += 1) {
    const sign = String.fromCharCode(code);
    if (quick(sign) !== original(sign)) expect.fail(`U+${code.toString(16)} has another width.`);
  }
});
