import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Hover, Location } from 'vscode-languageserver';
import { type Editor, modern, startEditor } from './editor.js';

let editor: Editor;

beforeAll(async () => {
  editor = await startEditor({ capabilities: modern });
});
afterAll(() => editor.kill());

async function hover(marked: string): Promise<string | undefined> {
  const { document: _, ...params } = await editor.openAt(marked);
  const found = await editor.connection.sendRequest<Hover | null>('textDocument/hover', params);
  const contents = found?.contents;
  if (contents === undefined) return undefined;
  return typeof contents === 'object' && 'value' in contents ? contents.value : String(contents);
}

/** Returns the line and the text of the definition of a name. */
async function findDefinition(marked: string): Promise<string | undefined> {
  const { document, ...params } = await editor.openAt(marked);
  const found = await editor.connection.sendRequest<Location | null>(
    'textDocument/definition',
    params,
  );
  if (found === null) return undefined;
  expect(found.uri).toBe(params.textDocument.uri);
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
  it('shows the limits of a property and that it is required', async () => {
    const text = await hover('{ "product": { "na¦me": "A", "entity": "B" } }');
    expect(text).toContain('required');
    expect(text).toContain('1 to 40 characters');
  });

  it('shows the default and the allowed words of a property', async () => {
    const text = await hover('{ "product": { "name": "A", "entity": "B", "view": "man¦" } }');
    expect(text).toContain('default operational');
    expect(text).toContain('`operational` or `management`');
  });

  it('names the replacement of a deprecated property', async () => {
    const text = await hover('{ "lay¦out": "queue" }');
    expect(text).toContain('deprecated');
    expect(text).toContain('Use archetype instead');
  });

  it('shows the label of a status, a field or a nav section', async () => {
    expect(await hover(screen('"scenario": { "approveTo": "n¦ew" }'))).toContain(
      '`new` — New · info',
    );
    expect(await hover(screen('"drawer": { "titleKey": "id¦" }'))).toContain(
      '`id` — Number · text',
    );
    expect(await hover(screen('"banner": { "actionNav": 1¦ }'))).toContain('`1` — Papers');
  });

  it('explains the rule of a finding at the cursor', async () => {
    const text = await hover(screen('"scenario": { "approveTo": "nw¦e" }'));
    expect(text).toMatch(/\*\*[a-z-]+\*\* \(warning\): /);
  });

  it('shows no hover text in white space', async () => {
    expect(await hover(screen('¦"search": {}').replace('"search"', ' "search"'))).toBeUndefined();
  });

  it('escapes Markdown and direction marks in labels', async () => {
    const text = await hover(
      '{ "statuses": { "a": { "label": "[x](http://y)\u202e", "tone": "ok" } }, "scenario": { "approveTo": "a¦" } }',
    );
    expect(text).toContain('\\[x\\](http://y)\\\\u202e');
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
  ])('finds the definition in %s', async (part, expected) => {
    expect((await findDefinition(screen(part)))?.split('"label')[0]?.trim()).toBe(expected);
  });

  it('finds the column of a row field, and the status or the allowed value of a cell', async () => {
    const whole = screen('"search": {}');
    const row = whole.split('\n')[6] ?? '';
    const at = (from: string, to: string) => whole.replace(row, row.replace(from, to));
    expect(await findDefinition(at('"status"', '"sta¦tus"'))).toBe('4: "status"');
    expect(await findDefinition(at('"new"', '"n¦ew"'))).toBe('1: "new"');
    expect(await findDefinition(at('"low"', '"l¦ow"'))).toBe('4: "low"');
  });

  it('finds definitions in an incomplete document, and after a byte order mark', async () => {
    const broken = screen('"drawer": { "titleKey": "i¦d", ');
    expect(await findDefinition(broken)).toBe('3: "id"');
    expect(await findDefinition(`\ufeff${broken}`)).toBe('3: "id"');
  });

  it('finds no definition for text that is not a reference, or for an unknown status', async () => {
    expect(await findDefinition(screen('"banner": { "text": "n¦ew" }'))).toBeUndefined();
    expect(await findDefinition(screen('"scenario": { "approveTo": "go¦ne" }'))).toBeUndefined();
  });
});
