import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Hover, Location } from 'vscode-languageserver';
import { type Editor, modern, startEditor } from './editor.js';

let editor: Editor;

beforeAll(async () => {
  editor = await startEditor({ capabilities: modern });
});
afterAll(() => editor.kill());

async function hover(marked: string): Promise<string | undefined> {
  const { document: _, ...place } = await editor.openAt(marked);
  const found = await editor.connection.sendRequest<Hover | null>('textDocument/hover', place);
  const contents = found?.contents;
  if (contents === undefined) return undefined;
  return typeof contents === 'object' && 'value' in contents ? contents.value : String(contents);
}

/** Returns the line that a name leads to, and the marked text. */
async function follow(marked: string): Promise<string | undefined> {
  const { document, ...place } = await editor.openAt(marked);
  const found = await editor.connection.sendRequest<Location | null>(
    'textDocument/definition',
    place,
  );
  if (found === null) return undefined;
  expect(found.uri).toBe(place.textDocument.uri);
  return `${found.range.start.line}: ${document.getText(found.range)}`;
}

const screen = (part: string) => `{ "product": { "name": "Contracts", "entity": "contract" },
"statuses": { "new": { "label": "New", "tone": "info" } },
"table": { "columns": [
{ "key": "id", "label": "Number" },
{ "key": "status", "label": "Status", "type": "status" }, { "key": "risk", "label": "Risk", "values": ["low"] }],
"rows": [
{ "id": "A-1", "status": "new", "risk": "low", "owner": "Li" }] },
"nav": [{ "label": "All" },
{ "label": "Papers" }],
${part} }`;

describe('the hover text', () => {
  it('shows type, bounds and description of a property', async () => {
    const said = await hover('{ "product": { "na¦me": "A", "entity": "B" } }');
    expect(said).toContain('required');
    expect(said).toContain('1 to 40 characters');
  });

  it('shows the default and the allowed words', async () => {
    const said = await hover('{ "product": { "name": "A", "entity": "B", "view": "man¦" } }');
    expect(said).toContain('default operational');
    expect(said).toContain('`operational` or `management`');
  });

  it('shows the replacement of a deprecated property', async () => {
    const said = await hover('{ "lay¦out": "queue" }');
    expect(said).toContain('deprecated');
    expect(said).toContain('Write archetype instead');
  });

  it('shows the label of a status or a field', async () => {
    expect(await hover(screen('"scenario": { "approveTo": "n¦ew" }'))).toContain(
      '`new` — New · info',
    );
    expect(await hover(screen('"drawer": { "titleKey": "id¦" }'))).toContain(
      '`id` — Number · text',
    );
    expect(await hover(screen('"banner": { "actionNav": 1¦ }'))).toContain('`1` — Papers');
  });

  it('explains the rule of a finding', async () => {
    const said = await hover(screen('"scenario": { "approveTo": "nw¦e" }'));
    expect(said).toMatch(/\*\*[a-z-]+\*\* \(warning\): /);
  });

  it('is undefined between words', async () => {
    expect(await hover(screen('¦"search": {}').replace('"search"', ' "search"'))).toBeUndefined();
  });

  it('escapes Markdown of the definition', async () => {
    const said = await hover(
      '{ "statuses": { "a": { "label": "[x](http://y)\u202e", "tone": "ok" } }, "scenario": { "approveTo": "a¦" } }',
    );
    expect(said).toContain('\\[x\\](http://y)\\\\u202e');
  });
});

describe('the definition of a name', () => {
  it.each([
    ['"drawer": { "titleKey": "i¦d" }', '3: "id"'],
    ['"drawer": { "fields": [{ "key": "risk¦", "label": "Risk" }] }', '4: "risk"'],
    ['"compare": { "pairs": [{ "label": "", "a": "¦id", "b": "owner" }] }', '3: "id"'],
    ['"compare": { "pairs": [{ "label": "", "a": "id", "b": "own¦er" }] }', '6: "owner"'],
    ['"chart": { "groupBy": "sta¦tus" }', '4: "status"'],
    ['"scenario": { "rejectTo": "n¦ew" }', '1: "new"'],
    ['"filterKeys": ["n¦ew"]', '1: "new"'],
    ['"banner": { "actionNav": ¦1 }', '8: {'],
  ])('is found for %s', async (part, wanted) => {
    expect((await follow(screen(part)))?.split('"label')[0]?.trim()).toBe(wanted);
  });

  it('is the column for a row, the status for a cell, and the allowed word of a column', async () => {
    const whole = screen('"search": {}');
    const row = whole.split('\n')[6] ?? '';
    const at = (from: string, to: string) => whole.replace(row, row.replace(from, to));
    expect(await follow(at('"status"', '"sta¦tus"'))).toBe('4: "status"');
    expect(await follow(at('"new"', '"n¦ew"'))).toBe('1: "new"');
    expect(await follow(at('"low"', '"l¦ow"'))).toBe('4: "low"');
  });

  it('is found in a text that is broken elsewhere, and after a byte order mark', async () => {
    const broken = screen('"drawer": { "titleKey": "i¦d", ');
    expect(await follow(broken)).toBe('3: "id"');
    expect(await follow(`\ufeff${broken}`)).toBe('3: "id"');
  });

  it('is undefined for text that references nothing', async () => {
    expect(await follow(screen('"banner": { "text": "n¦ew" }'))).toBeUndefined();
    expect(await follow(screen('"scenario": { "approveTo": "go¦ne" }'))).toBeUndefined();
  });
});
