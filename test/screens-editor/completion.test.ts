import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CompletionItem, CompletionList, TextEdit } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { type Editor, modern, startEditor } from './editor.js';

let editor: Editor;

beforeAll(async () => {
  editor = await startEditor({ capabilities: modern });
});
afterAll(() => editor.kill());

async function complete(marked: string) {
  const { document, ...params } = await editor.openAt(marked);
  const found = await editor.connection.sendRequest<CompletionList | null>(
    'textDocument/completion',
    params,
  );
  const items = found?.items ?? [];
  return {
    items,
    labels: items.map(({ label }) => label),
    /** Returns the text after an item is accepted, without the tab stops of snippets. */
    take(label: string): string {
      const item = items.find((each) => each.label === label);
      return TextDocument.applyEdits(document, item ? editsOf(item) : []);
    },
  };
}

function editsOf({ textEdit, additionalTextEdits = [] }: CompletionItem): TextEdit[] {
  if (textEdit === undefined || !('range' in textEdit)) return additionalTextEdits;
  const newText = textEdit.newText.replace(/\$\{\d+(?::([^}]*)|\|([^,]*)[^}]*)?\}/g, '$1$2');
  return [{ ...textEdit, newText }, ...additionalTextEdits];
}

/** Returns a definition that includes a part with the cursor. */
const screen = (part: string) => `{
  "product": { "name": "Contracts", "entity": "contract" },
  "statuses": {
    "new": { "label": "New", "tone": "info" },
    "done": { "label": "Done", "tone": "ok", "dim": true }
  },
  "table": {
    "columns": [
      { "key": "id", "label": "Number" },
      { "key": "amount", "label": "Amount", "type": "num" },
      { "key": "status", "label": "Status", "type": "status", "values": ["new", "done"] },
      { "key": "risk", "label": "Risk", "values": ["low", "high"] }
    ],
    "rows": [{ "id": "A-1", "amount": 5, "status": "new", "risk": "low", "owner": "Li" }]
  },
  "nav": [{ "label": "All" }, { "label": "Papers" }],
  ${part}
}`;

describe('property completion', () => {
  it('lists the missing properties of an object, required ones first', async () => {
    const { labels } = await complete('{ "product": { "entity": "contract", ¦ "purpose": "" } }');
    expect(labels[0]).toBe('name');
    expect(labels).toContain('createLabel');
    expect(labels).not.toContain('entity');
    expect(labels).not.toContain('purpose');
  });

  it('inserts the required children of a property', async () => {
    const { take, items } = await complete('{¦}');
    expect(JSON.parse(take('product'))).toEqual({ product: { name: '', entity: '' } });
    expect(JSON.parse(take('table'))).toEqual({
      table: { columns: [{ key: '', label: '' }], rows: [] },
    });
    expect(JSON.parse(take('statuses'))).toEqual({ statuses: { '': { label: '', tone: 'ok' } } });
    const { insertTextFormat, tags } = items.find(({ label }) => label === 'layout') ?? {};
    expect({ insertTextFormat, tags }).toEqual({ insertTextFormat: 2, tags: [1] });
  });

  it('lists the columns of the table inside a row, with a number for a numeric column', async () => {
    const { take } = await complete(
      '{ "table": { "columns": [{ "key": "id" }, { "key": "sum", "type": "num" }], "rows": [{ "id": "1", "¦" }] } }',
    );
    expect(JSON.parse(take('sum')).table.rows).toEqual([{ id: '1', sum: 0 }]);
  });

  it('inserts missing commas before and after a property', async () => {
    const { take } = await complete('{ "product": { "name": "A" ¦\n "purpose": "B" } }');
    expect(JSON.parse(take('entity'))).toEqual({
      product: { name: 'A', entity: '', purpose: 'B' },
    });
  });

  it('preserves an existing value', async () => {
    const { take } = await complete('{ "product": { "na¦": "A", "entity": "B" } }');
    expect(JSON.parse(take('name'))).toEqual({ product: { name: 'A', entity: 'B' } });
  });

  it('offers nothing after a closing bracket and in an empty document', async () => {
    expect((await complete('{ "kpis": [{ "value": "1", "label": "A" }]¦ }')).labels).toEqual([]);
    expect((await complete('¦')).labels).toEqual([]);
  });
});

describe('value completion', () => {
  it.each([
    ['"banner": { "tone": "¦" }', ['ok', 'warn', 'risk', 'info'], 'risk'],
    ['"banner": { "tone": ¦ }', ['ok', 'warn', 'risk', 'info'], 'risk'],
    ['"scenario": { "approveTo": "¦" }', ['new', 'done'], 'done'],
    ['"drawer": { "titleKey": "¦" }', ['id', 'amount', 'status', 'risk', 'owner'], 'owner'],
    ['"compare": { "pairs": [{ "a": "i¦d" }] }', ['id', 'amount', 'status', 'risk', 'owner'], 'id'],
    ['"banner": { "actionNav": ¦ }', ['0', '1'], 1],
    ['"search": { "compact": ¦ }', ['true', 'false'], true],
    ['"filterKeys": ["new", "¦"]', ['done'], 'done'],
  ])('offers the allowed values in %s', async (part, expected, taken) => {
    const { labels, take } = await complete(screen(part));
    expect([...labels].sort()).toEqual([...expected].sort());
    expect(JSON.stringify(JSON.parse(take(String(taken))))).toContain(JSON.stringify(taken));
  });

  it('offers the values of the column for a cell', async () => {
    const row = (cell: string) =>
      screen('')
        .replace('"owner": "Li"', cell)
        .replace(/,\s*\}$/, '}');
    expect((await complete(row('"risk": "¦"'))).labels).toEqual(['low', 'high']);
    expect((await complete(row('"status": ¦'))).labels).toEqual(['new', 'done']);
  });

  it('offers existing icons and archetypes', async () => {
    const icons = await complete(screen('"onboarding": [{ "icon": "¦" }]'));
    expect(icons.labels).toEqual(expect.arrayContaining(['mail', 'users']));
    const archetypes = await complete('{ "archetype": ¦ }');
    expect(archetypes.labels).toEqual(expect.arrayContaining(['queue', 'timeline']));
  });
});

describe('completion in an incomplete document', () => {
  it.each([
    ['at the end', '{ "product": { "name": "A", ', 'entity'],
    ['in an unclosed string', '{ "banner": { "tone": "r', 'risk'],
    ['after a colon', '{ "banner": { "tone":', 'warn'],
    ['before another property', '{ "banner": { "to¦ "text": "A" } }', 'tone'],
    ['after an unclosed list', '{ "nav": [ { "label": "A" }, { ', 'docType'],
  ])('offers matching items %s', async (_where, text, expected) => {
    const { labels } = await complete(text.includes('¦') ? text : `${text}¦`);
    expect(labels).toContain(expected);
  });

  it('offers the columns of the last valid version', async () => {
    const whole = screen('"drawer": { "titleKey": "id" }');
    const { textDocument } = await editor.openAt(`${whole}¦`);
    // Completions are requested for each version, as an editor does while a person types.
    const requestAt = (position: { line: number; character: number }) =>
      editor.connection.sendRequest<CompletionList>('textDocument/completion', {
        textDocument,
        position,
      });
    await requestAt({ line: 0, character: 1 });
    const broken = '{ "table": { "columns": [ { "key": ] }, "drawer": { "titleKey": "" } }';
    await editor.write(textDocument.uri, 2, broken);
    const { items } = await requestAt({ line: 0, character: broken.indexOf('""') + 1 });
    expect(items.map(({ label }) => label)).toContain('amount');
  });
});

it('completion inserts plain text for clients without snippets', async () => {
  const plain = await startEditor();
  const { document: _, ...params } = await plain.openAt('{¦}');
  const { items } = await plain.connection.sendRequest<CompletionList>(
    'textDocument/completion',
    params,
  );
  expect(items.find(({ label }) => label === 'user')).toMatchObject({
    insertTextFormat: 1,
    textEdit: { newText: '"user": {}' },
    documentation: { kind: 'plaintext' },
  });
  plain.kill();
});
