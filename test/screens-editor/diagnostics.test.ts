import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Diagnostic } from 'vscode-languageserver';
import { runCli } from '../helpers/run-cli.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { type Editor, startEditor } from './editor.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const valid = JSON.stringify({ product: { name: 'Contracts', entity: 'contract' } });

let editor: Editor;

beforeAll(async () => {
  editor = await startEditor();
});
afterAll(() => editor.kill());

let files = 0;
/** Returns the URI of a new file. */
const freshUri = (name = 'screen.json') => `file:///nowhere/${++files}.${name}`;

async function diagnosticsOf(text: string): Promise<readonly Diagnostic[]> {
  const uri = freshUri();
  await editor.open(uri, text);
  return editor.published(uri);
}

/** Returns the part of a text that a diagnostic marks. */
function marked(text: string, { range: { start, end } }: Diagnostic): string {
  const lines = text.split(/\r\n|\r|\n/);
  expect(end.line).toBe(start.line);
  return (lines[start.line] ?? '').slice(start.character, end.character);
}

describe('the diagnostics of a document', () => {
  it('has no diagnostics for a valid definition', async () => {
    expect(await diagnosticsOf(valid)).toEqual([]);
  });

  it('has the findings and locations of validate-screen', async () => {
    for (const rule of ['unknown-property', 'map-status', 'deprecated-property', 'unsafe-key']) {
      const file = join(root, 'test/screens/rules', rule, 'bad.screen.json');
      const { stdout } = await runCli(['validate-screen', '--json', file]);
      const [{ errors, warnings, infos }] = JSON.parse(stdout).files;
      const shown = await diagnosticsOf(await readFile(file, 'utf8'));
      const expected = [...errors, ...warnings, ...infos].map(
        ({ rule, message, line, column }) => ({
          code: rule,
          message,
          start: { line: line - 1, character: column - 1 },
        }),
      );
      expect(expected.length).toBeGreaterThan(0);
      expect(
        shown.map(({ code, message, range: { start } }) => ({ code, message, start })),
      ).toEqual(expect.arrayContaining(expected));
      expect(shown.length).toBe(expected.length);
      for (const { source } of shown) expect(source).toBe('msgsite');
    }
  });

  it('locates diagnostics correctly after surrogate pairs, a byte order mark and any kind of line end', async () => {
    const lines = [
      '{"product": {"name": "👩‍🚀🚀", "entity": "contract"},',
      '"banner": {"text": "😀", "toen": "ok"}}',
    ];
    for (const text of [
      lines.join('\n'),
      lines.join('\r\n'),
      lines.join('\r'),
      `\ufeff${lines.join(' ')}`,
    ]) {
      const [first] = (await diagnosticsOf(text)).filter(({ code }) => code === 'unknown-property');
      expect(first && marked(text, first)).toBe('"toen"');
    }
  });

  it('tags deprecated and unnecessary parts', async () => {
    const shown = await diagnosticsOf(
      JSON.stringify({
        ...JSON.parse(valid),
        layout: 'queue',
        map: { points: [] },
        filterKeys: [],
      }),
    );
    const tags = Object.fromEntries(shown.map(({ code, tags }) => [code, tags]));
    expect(tags).toMatchObject({ 'deprecated-property': [2], 'idle-block': [1] });
  });

  it('escapes control characters that could affect an editor', async () => {
    const text = JSON.stringify({ ...JSON.parse(valid), archetype: 'a\u202eb\u001b[31m' });
    const found = await diagnosticsOf(text);
    const message = found.map((each) => each.message).join(' ');
    expect(message).toContain('\\u202e');
    expect(message).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
  });
});

describe('diagnostics while typing', () => {
  it('publishes diagnostics only for the latest version, and removes them once the error is fixed', async () => {
    const uri = freshUri();
    await editor.open(uri, '{');
    expect(await editor.published(uri)).toMatchObject([{ code: 'json-syntax' }]);
    const before = editor.timesPublished(uri);
    for (let version = 2; version <= 40; version += 1) {
      await editor.write(uri, version, version === 40 ? valid : `{"product": ${version}`);
    }
    expect(await editor.published(uri, 40)).toEqual([]);
    expect(editor.timesPublished(uri)).toBeLessThan(before + 39);
  });

  it('publishes the findings of incremental changes', async () => {
    const uri = freshUri();
    await editor.open(uri, valid);
    await editor.connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version: 2 },
      contentChanges: [
        {
          range: { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } },
          text: '{"banner": {"toen": 1},',
        },
      ],
    });
    expect(await editor.published(uri, 2)).toMatchObject([{ code: 'unknown-property' }]);
  });

  it('removes the diagnostics of a document when it closes', async () => {
    const uri = freshUri();
    await editor.open(uri, '{');
    expect(await editor.published(uri)).toHaveLength(1);
    const before = editor.timesPublished(uri);
    await editor.close(uri);
    await expect.poll(() => editor.timesPublished(uri)).toBe(before + 1);
  });
});

describe('the language server', () => {
  it('checks documents with the language ID of definitions, and ignores other JSON files', async () => {
    const other = freshUri('package.json');
    const named = freshUri('contracts.json');
    await editor.open(other, '{');
    await editor.open(named, '{', 'msgsite-screen');
    expect(await editor.published(named)).toHaveLength(1);
    expect(editor.timesPublished(other)).toBe(0);
  });

  it('checks unsaved documents', async () => {
    await editor.open('untitled:Untitled-1', '{', 'msgsite-screen');
    expect(await editor.published('untitled:Untitled-1')).toHaveLength(1);
  });

  it('checks other documents during the check of a large one', async () => {
    const uri = freshUri();
    const rows = Array.from({ length: 40_000 }, (_, id) => ({ id: `A-${id}` }));
    const table = { columns: [{ key: 'id', label: 'Number' }], rows };
    const text = JSON.stringify({ ...JSON.parse(valid), table, toen: 1 });
    expect(text.length).toBeGreaterThan(512 * 1024);
    await editor.open(uri, text);
    expect(await diagnosticsOf(valid)).toEqual([]);
    expect(await editor.published(uri)).toMatchObject([
      { code: 'advised-count' },
      { code: 'unknown-root-property' },
    ]);
  });
});

describe('a workspace folder', () => {
  const faulty = JSON.stringify({ ...JSON.parse(valid), banner: { toen: 1 } });

  async function openFolder(capabilities = {}) {
    const folder = await makeTempFolder();
    const client = await startEditor({ folders: [folder], capabilities });
    onTestFinished(client.kill);
    await mkdir(join(folder, 'screens'));
    const uri = pathToFileURL(join(folder, 'screens/a.screen.json')).href;
    const configure = (config: object) =>
      writeFile(join(folder, '.msgsite-screens.json'), JSON.stringify(config));
    return { folder, client, uri, configure };
  }

  it('applies the configuration of the folder, and changes to it', async () => {
    const { folder, client, uri, configure } = await openFolder();
    await configure({ rules: { 'unknown-property': 'info' } });
    await client.open(uri, faulty);
    expect(await client.published(uri)).toMatchObject([{ code: 'unknown-property', severity: 3 }]);
    await configure({ ignore: [{ rule: 'unknown-property', file: 'screens/*.json' }] });
    // The client does not watch files, so the change applies when the document next changes.
    await client.write(uri, 2, faulty);
    expect(await client.published(uri, 2)).toEqual([]);
    await configure({});
    const config = pathToFileURL(join(folder, '.msgsite-screens.json'));
    await client.connection.sendNotification('workspace/didChangeWatchedFiles', {
      changes: [{ uri: config.href, type: 2 }],
    });
    await expect.poll(async () => (await client.published(uri, 2)).length).toBe(1);
    await writeFile(join(folder, '.msgsite-screensignore'), 'screens/');
    await client.write(uri, 3, faulty);
    expect(await client.published(uri, 3)).toEqual([]);
    await configure({ rules: { 'no-such-rule': 'off' } });
    await client.write(uri, 4, faulty);
    await expect.poll(() => client.messages.join()).toContain('no-such-rule');
    expect(await client.quit()).toBe(0);
  });

  it('sends diagnostics only on request to clients that pull them', async () => {
    const { client, uri, configure } = await openFolder({ textDocument: { diagnostic: {} } });
    expect(client.hello.capabilities.diagnosticProvider).toMatchObject({
      workspaceDiagnostics: false,
    });
    await client.open(uri, faulty);
    const pull = (previousResultId?: string) =>
      client.connection.sendRequest<{ kind: string; resultId: string; items?: Diagnostic[] }>(
        'textDocument/diagnostic',
        { textDocument: { uri }, ...(previousResultId ? { previousResultId } : {}) },
      );
    const first = await pull();
    expect(first).toMatchObject({ kind: 'full', items: [{ code: 'unknown-property' }] });
    expect(await pull(first.resultId)).toMatchObject({ kind: 'unchanged' });
    await configure({ rules: { 'unknown-property': 'off' } });
    expect(await pull(first.resultId)).toMatchObject({ kind: 'full', items: [] });
    expect(client.timesPublished(uri)).toBe(0);
  });
});
