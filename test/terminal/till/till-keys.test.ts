import { describe, expect, it } from 'vitest';
import { createKeyReader } from '../../../src/terminal/till/till-keys.js';

/** Returns keys in a short form: characters, names in angle brackets, and pastes in quotes. */
function read(...chunks: readonly string[]): string {
  const reader = createKeyReader();
  return chunks
    .flatMap((chunk) => reader(chunk))
    .map((key) => {
      if (key.name === 'char') return key.char;
      return key.name === 'paste' ? JSON.stringify(key.text) : `<${key.name}>`;
    })
    .join('');
}

describe('terminal input', () => {
  it.each([
    ['1', '1'],
    ['\r', '<enter>'],
    ['\u001b', '<escape>'],
    ['\u001b[A\u001bOB', '<up><down>'],
    ['\u007f\u0008\u0015', '<backspace><backspace><clear>'],
    ['\u0003', '<interrupt>'],
    ['Ш', 'i'],
    ['\u001b[1;5C\u001b[15~\u0001', ''],
    // On a busy machine, several keys arrive in one chunk.
    ['1500\r', '1500<enter>'],
    ['i87015554433\r', 'i87015554433<enter>'],
    ['500y', '500y'],
    ['\r16', '<enter>16'],
    ['\u001b15', '<escape>15'],
  ])('%j is read as %s', (chunk, keys) => {
    expect(read(chunk)).toBe(keys);
  });

  it.each([
    ['abc\r', '"abc\\r"'],
    ['1500\n', '"1500\\n"'],
    ['1500\r1600\r', '"1500\\r1600\\r"'],
    ['rubbish', '"rubbish"'],
    ['\u001b[200~y\r\u001b[201~1', '"y\\r"1'],
    ['\u001b[200~\u0003\u001b[A\u001b[201~', '"\\u0003\\u001b[A"'],
  ])('%j is read as a paste', (chunk, keys) => {
    expect(read(chunk)).toBe(keys);
  });

  it('that is marked as a paste is read as one paste, even in several chunks', () => {
    expect(read('\u001b[200~15', '00\r\u001b[2', '01~y')).toBe('"1500\\r"y');
    const long = read(
      '\u001b[200~',
      ...Array<string>(50).fill('1'.repeat(100)),
      '\u001b[201~',
      'i',
    );
    expect(long).toMatch(/^"1{1000}"i$/);
  });
});
