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

function requestActions(
  { textDocument, position }: Omit<OpenText, 'document'>,
  context: Partial<CodeActionContext> = {},
  client = editor,
): Promise<CodeAction[]> {
  const range = { start: position, end: position };
  return client.connection.sendRequest('textDocument/codeAction', {
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
  it('offers the only correct fix as preferred, and does not change the rest of the text', async () => {
    const opened = await editor.openAt(
      `{ ${product},\r\n"banner": { "text": "🚀", "to¦en": "ok" } }`,
    );
    const [action, ...others] = await requestActions(opened, { only: ['quickfix'] });
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

  it('offers possible fixes, but does not prefer one, if none is certain', async () => {
    const statuses = '"statuses": { "sent": { "label": "Sent", "tone": "ok" } }';
    const opened = await editor.openAt(
      `{ ${product}, ${statuses}, "scenario": { "headline": "A", "control": "B", "approveTo": "sen¦d" } }`,
    );
    const actions = await requestActions(opened, { only: ['quickfix'] });
    expect(actions.map(({ title, isPreferred }) => [title, isPreferred])).toEqual([
      ['Replace with "sent"', false],
    ]);
    const [action] = actions;
    expect(action && JSON.parse(fixed(opened.document, action)).scenario.approveTo).toBe('sent');
  });

  it('offers no actions without findings or for an object with a duplicate key', async () => {
    const valid = await editor.openAt(`{ ${product}, "ban¦ner": { "text": "A" }, "kpis": [] }`);
    expect(await requestActions(valid, { only: ['quickfix'] })).toEqual([]);
    const duplicated = await editor.openAt(
      `{ ${product}, "banner": { "toen": "ok", "to¦en": "ok" } }`,
    );
    expect(await requestActions(duplicated, { only: ['quickfix'] })).toEqual([]);
  });

  it('offers unversioned edits to clients without versions, and nothing to clients that support only commands', async () => {
    const codeAction = { codeActionLiteralSupport: { codeActionKind: { valueSet: [] } } };
    const plain = await startEditor({ capabilities: { textDocument: { codeAction } } });
    const marked = `{ ${product}, "banner": { "to¦en": "ok" } }`;
    const opened = await plain.openAt(marked);
    const [action] = await requestActions(opened, {}, plain);
    expect(action?.edit?.changes?.[opened.document.uri]).toHaveLength(1);
    plain.kill();
    const old = await startEditor();
    expect(old.hello.capabilities.codeActionProvider).toBeUndefined();
    expect(await requestActions(await old.openAt(marked), {}, old)).toEqual([]);
    old.kill();
  });

  it('fixes the latest version, and rejects requests for an older version with ContentModified', async () => {
    const opened = await editor.openAt(`{ ${product}, "banner": { "to¦en": "ok" } }`);
    const { uri } = opened.textDocument;
    const rows = Array.from({ length: 40_000 }, (_, id) => ({ id: `A-${id}` }));
    const table = { columns: [{ key: 'id', label: 'Number' }], rows };
    // Large enough to be checked in a separate process, so that the next version arrives during the check.
    await editor.write(uri, 2, `{ ${product}, "table": ${JSON.stringify(table)}, "nvv": 1 }`);
    const stale = requestActions(opened).then(
      () => undefined,
      (error: { code: number }) => error.code,
    );
    await editor.write(uri, 3, opened.document.getText());
    expect(await stale).toBe(-32801);
    const [action] = await requestActions(opened);
    expect(action?.edit?.documentChanges).toMatchObject([{ textDocument: { uri, version: 3 } }]);
  });
});

describe('fixing a whole document', () => {
  const faulty = `{ ${product},
  "layout": "queue",
  "banner": { "txet": "🚀", "toen": "ok" },
  "filterKeys": [] }`;

  it('fixes a document with the same result as validate-screen --fix', async () => {
    const folder = await makeTempFolder();
    await mkdir(folder, { recursive: true });
    const file = join(folder, 'a.screen.json');
    await writeFile(file, `\ufeff${faulty}`);
    await runCli(['validate-screen', '--fix', file]);
    const expected = await readFile(file, 'utf8');
    expect(expected).not.toBe(`\ufeff${faulty}`);
    const uri = pathToFileURL(join(folder, 'b.screen.json')).href;
    await editor.open(uri, `\ufeff${faulty}`);
    const target = { textDocument: { uri }, position: { line: 0, character: 0 } };
    for (const only of ['source', 'source.fixAll', 'source.fixAll.msgsite']) {
      const actions = await requestActions(target, { only: [only] });
      expect(actions.map(({ kind }) => kind)).toEqual(['source.fixAll.msgsite']);
      const [action] = actions;
      const document = TextDocument.create(uri, 'json', 1, `\ufeff${faulty}`);
      expect(action && CodeAction.is(action) && fixed(document, action)).toBe(expected);
    }
  });

  it('offers to fix a document only on explicit request and if there are fixable findings', async () => {
    const opened = await editor.openAt(`${faulty}¦`);
    expect(await requestActions(opened, { triggerKind: 2 })).toEqual([]);
    expect((await requestActions(opened, { triggerKind: 1 })).map(({ kind }) => kind)).toEqual([
      'source.fixAll.msgsite',
    ]);
    const valid = await editor.openAt(`{ ${product} }¦`);
    expect(await requestActions(valid, { only: ['source.fixAll'] })).toEqual([]);
  });
});
