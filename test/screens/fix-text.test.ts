import { expect, it } from 'vitest';
import type { CheckedText } from '../../src/screens/check/check-text.js';
import { fixText } from '../../src/screens/check/fix-file.js';
import type { Finding } from '../../src/screens/findings/finding.js';

const names = Array.from({ length: 2_000 }, (_, index) => `hnit${index}`);
const text = JSON.stringify(Object.fromEntries(names.map((name) => [name, 'x'.repeat(1_000)])));

/** A finding for each name, with a fix that renames it. */
const findings = names.map(
  (name): Finding => ({
    rule: 'unknown-property',
    severity: 'warning',
    path: `/${name}`,
    message: 'There is no such property.',
    location: name,
    frame: [],
    line: 1,
    column: 1,
    endLine: 1,
    endColumn: 1,
    fix: { title: 'Rename it', edits: [{ kind: 'rename', path: `/${name}`, to: `hint${name}` }] },
  }),
);

it('fixes that all add errors are skipped without a separate check for each fix', async () => {
  let characters = 0;
  const recheck = async (next: string): Promise<CheckedText> => {
    characters += next.length;
    const errors = next === text ? 0 : 1;
    return { findings, counts: { errors, warnings: findings.length, infos: 0 } };
  };
  const result = await fixText(text, recheck);
  expect(result).toMatchObject({ text, fixed: 0, checked: { counts: { errors: 0 } } });
  expect(characters).toBeLessThan(110 * 1024 * 1024);
});
