import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findInText, type PointerTarget } from '../../src/json/find-in-text.js';
import { pointer } from '../../src/json/pointers.js';
import { parseText } from '../../src/json/strict-parse.js';
import { checkScreen } from '../../src/screens/check/check-text.js';

const findingsOf = async (text: string) => (await checkScreen(text, {})).findings;

describe('duplicate keys', () => {
  it.each([
    ['{"a": 1, "b": {"a": 2}, "c": [{"a": 3}]}', false],
    ['{"a": 1, "a": 1}', true],
    ['{"a": "\\"a\\": 1", "b": "\\\\"}', false],
    ['{"a:": ":", ":" : ["a", "b"]}', false],
    ['{"a": 1, "\\u0061": 2}', true],
    ['{"__proto__": 1}', false],
    ['{"__proto__": 1, "__proto__": 2}', true],
    ['[[], {}, {"x": {"y": {"y": 1, "y": 2}}}]', true],
    ['"a:"', false],
  ])('detects duplicate keys in %s: %s', (text, duplicates) => {
    expect(parseText(text)).toMatchObject({ ok: true, duplicates });
  });

  it('finds no duplicate keys in the output of JSON.stringify, but finds an added one', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat({ max: 3 }), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(parseText(text)).toMatchObject({ ok: true, duplicates: false });
        expect(parseText(`{"k": ${text}, "k": ${text}}`)).toMatchObject({ duplicates: true });
      }),
    );
  });
});

describe('the locations of values', () => {
  it('locates the values of any document exactly', () => {
    fc.assert(
      fc.property(fc.jsonValue({ depthSize: 'medium' }), fc.nat({ max: 3 }), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const find = (...targets: readonly PointerTarget[]) => findInText(text, targets);
        const all: PointerTarget[] = [];
        const visit = (inner: unknown, path: string): void => {
          all.push({ path }, { path, atKey: true });
          const [{ offset, length } = { offset: -1, length: 0 }] = find({ path });
          const simple = typeof inner !== 'object' || inner === null;
          expect(text.slice(offset, offset + length)).toBe(
            simple ? JSON.stringify(inner) : Array.isArray(inner) ? '[' : '{',
          );
          const missing = `${path}/no such/0`;
          expect(find({ path: missing })).toEqual([{ offset, length }]);
          if (simple) return;
          for (const [key, child] of Object.entries(inner)) visit(child, path + pointer(key));
        };
        visit(value, '');
        expect(find(...all)).toEqual(all.flatMap((target) => find(target)));
      }),
    );
  });

  it('counts lines and UTF-16 columns from 1, with any kind of line end', async () => {
    const text = '{\r\n  "product": {"name": "🙂", "entity": ""}\r\n}';
    const [finding] = await findingsOf(text);
    expect(finding).toMatchObject({ rule: 'min-length', line: 2, column: 39, endColumn: 41 });
  });

  it('falls back to the parent of a missing property', async () => {
    const [finding] = await findingsOf('{\n "product": {"name": "x"}\n}');
    expect(finding).toMatchObject({ rule: 'required', path: '/product', line: 2, column: 13 });
  });
});

describe('an invalid JSON text', () => {
  const words = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"a"',
    '1',
    'true',
    "'",
    '//',
    '\\',
    ' ',
    '\n',
    'x',
    '"',
  );

  it('reports an invalid JSON text with a location in the text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(words, { maxLength: 12 }), async (parts) => {
        const text = parts.join('');
        const findings = await findingsOf(text);
        const lines = text.split('\n');
        for (const { line, column } of findings) {
          expect(line).toBeGreaterThanOrEqual(1);
          expect(line).toBeLessThanOrEqual(lines.length);
          expect(column).toBeLessThanOrEqual((lines[line - 1]?.length ?? 0) + 1);
        }
        expect(findings.length).toBeGreaterThan(0);
      }),
    );
  });

  it('reports deeply nested invalid JSON and accepts deeply nested valid JSON', async () => {
    const deep = `{"product": {"name": "x", "entity": "y"}, "table": {"columns": [{"key": "a", "label": "A"}], "rows": [{"a": ${'['.repeat(50_000)}${']'.repeat(50_000)}}]}}`;
    const findings = await findingsOf(deep);
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    const [broken] = await findingsOf('['.repeat(100_000));
    expect(broken?.rule).toBe('json-syntax');
  });
});
