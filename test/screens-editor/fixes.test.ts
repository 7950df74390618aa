import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CodeAction, type CodeActionContext, type TextEdit } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { runCli } from '../helpers/run-cli.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { type Editor, modern, type OpenText, startEditor } from './editor.js';

let editor: Editor;

beforeAll(async () => {
  editor = await startEditor({ capabilities: modern });
});
afterAll(() => editor.kill());

const product = '"product": { "name": "Contracts", "entity": "contract" }';

function ask(
  { textDocument, position }: Omit<OpenText, 'document'>,
  context: Partial<CodeActionContext> = {},
  asker = editor,
): Promise<CodeAction[]> {
  const range = { start: position, end: position };
  return asker.connection.sendRequest('textDocument/codeAction', {
    textDocument,
    range,
    context: { diagnostics: [], ...context },
  });
}

function fixed(document: TextDocument, { edit }: CodeAction): string {
  const [change] = edit?.documentChanges ?? [];
  const edits = change && 'edits' in change ? change.edits : edit?.changes?.[document.uri];
  return TextDocument.applyEdits(document, [...(edits ?? [])] as TextEdit[]);
}

describe('the code actions of a finding', () => {
  it('contain the one right answer as preferred, and change nothing else of the text', async () => {
    const opened = await editor.openAt(
      `{ ${product},\r\n"banner": { "text": "🚀", "to¦en": "ok" } }`,
    );
    const [action, ...others] = await ask(opened, { only: ['quickfix'] });
    expect(others).toEqual([]);
    expect(action).toMatchObject({
      title: 'Rename "toen" to "tone"',
      kind: 'quickfix',
      isPreferred: true,
      diagnostics: [{ code: 'unknown-property', source: 'msgsite' }],
      edit: { documentChanges: [{ textDocument: { ...opened.textDocument, version: 1 } }] },
    });
    const before = opened.document.getText();
    expect(action && fixed(opened.document, action)).toBe(before.replace('toen', 'tone'));
  });

  it('contain every likely answer when there is a choice, none of them preferred', async () => {
    const statuses = '"statuses": { "sent": { "label": "Sent", "tone": "ok" } }';
    const opened = await editor.openAt(
      `{ ${product}, ${statuses}, "scenario": { "headline": "A", "control": "B", "approveTo": "sen¦d" } }`,
    );
    const actions = await ask(opened, { only: ['quickfix'] });
    expect(actions.map(({ title, isPreferred }) => [title, isPreferred])).toEqual([
      ['Write "sent"', false],
    ]);
    const [action] = actions;
    expect(action && JSON.parse(fixed(opened.document, action)).scenario.approveTo).toBe('sent');
  });

  it('are empty without findings, and for an object with a duplicate key', async () => {
    const sound = await editor.openAt(`{ ${product}, "ban¦ner": { "text": "A" }, "kpis": [] }`);
    expect(await ask(sound, { only: ['quickfix'] })).toEqual([]);
    const twice = await editor.openAt(`{ ${product}, "banner": { "toen": "ok", "to¦en": "ok" } }`);
    expect(await ask(twice, { only: ['quickfix'] })).toEqual([]);
  });

  it('are plain changes for clients without versions, and empty for clients with commands only', async () => {
    const codeAction = { codeActionLiteralSupport: { codeActionKind: { valueSet: [] } } };
    const plain = await startEditor({ capabilities: { textDocument: { codeAction } } });
    const marked = `{ ${product}, "banner": { "to¦en": "ok" } }`;
    const opened = await plain.openAt(marked);
    const [action] = await ask(opened, {}, plain);
    expect(action?.edit?.changes?.[opened.document.uri]).toHaveLength(1);
    plain.kill();
    const old = await startEditor();
    expect(old.hello.capabilities.codeActionProvider).toBeUndefined();
    expect(await ask(await old.openAt(marked), {}, old)).toEqual([]);
    old.kill();
  });

  it('apply to the latest version, or the client is asked to retry', async () => {
    const opened = await editor.openAt(`{ ${product}, "banner": { "to¦en": "ok" } }`);
    const { uri } = opened.textDocument;
    const rows = Array.from({ length: 40_000 }, (_, id) => ({ id: `A-${id}` }));
    const table = { columns: [{ key: 'id', label: 'Number' }], rows };
    // Large enough to be checked separately: the next version arrives meanwhile.
    await editor.write(uri, 2, `{ ${product}, "table": ${JSON.stringify(table)}, "nvv": 1 }`);
    const stale = ask(opened).then(
      () => undefined,
      (error: { code: number }) => error.code,
    );
    await editor.write(uri, 3, opened.document.getText());
    expect(await stale).toBe(-32801);
    const [action] = await ask(opened);
    expect(action?.edit?.documentChanges).toMatchObject([{ textDocument: { uri, version: 3 } }]);
  });
});

describe('fixing a whole document', () => {
  const faulty = `{ ${product},
  "layout": "queue",
  "banner": { "txet": "🚀", "toen": "ok" },
  "filterKeys": [] }`;

  it('gives the same as validate-screen --fix', async () => {
    const folder = await makeTempFolder();
    await mkdir(folder, { recursive: true });
    const file = join(folder, 'a.screen.json');
    await writeFile(file, `\ufeff${faulty}`);
    await runCli(['validate-screen', '--fix', file]);
    const wanted = await readFile(file, 'utf8');
    expect(wanted).not.toBe(`\ufeff${faulty}`);
    const uri = pathToFileURL(join(folder, 'b.screen.json')).href;
    await editor.open(uri, `\ufeff${faulty}`);
    const place = { textDocument: { uri }, position: { line: 0, character: 0 } };
    for (const only of ['source', 'source.fixAll', 'source.fixAll.msgsite']) {
      const actions = await ask(place, { only: [only] });
      expect(actions.map(({ kind }) => kind)).toEqual(['source.fixAll.msgsite']);
      const [action] = actions;
      const document = TextDocument.create(uri, 'json', 1, `\ufeff${faulty}`);
      expect(action && CodeAction.is(action) && fixed(document, action)).toBe(wanted);
    }
  });

  it('is not offered automatically, nor without fixable findings', async () => {
    const opened = await editor.openAt(`${faulty}¦`);
    expect(await ask(opened, { triggerKind: 2 })).toEqual([]);
    expect((await ask(opened, { triggerKind: 1 })).map(({ kind }) => kind)).toEqual([
      'source.fixAll.msgsite',
    ]);
    const sound = await editor.openAt(`{ ${product} }¦`);
    expect(await ask(sound, { only: ['source.fixAll'] })).toEqual([]);
  });
});
