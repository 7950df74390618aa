import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { shellWord } from '../../src/terminal/shell-word.js';

describe('a quoted shell word', () => {
  it.each([
    'plain',
    './a folder/с пробелом',
    "it's",
    '$(touch x) `id` "q" \\ !! ; & | > *',
    '',
    "\u001b[2J\u009b31m'\\\u202e\n$(id)",
  ])('is read back unchanged by bash (%#)', (text) => {
    const word = shellWord(text);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the test checks that there are none.
    expect(word).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
    const env = { ...process.env, LC_ALL: 'C.UTF-8' };
    const script = `printf '%s' ${word}`;
    expect(execFileSync('bash', ['-c', script], { env }).toString()).toBe(text);
  });
});
