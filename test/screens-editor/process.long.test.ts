import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCli } from '../helpers/run-cli.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { type EditorOptions, modern, startEditor } from './editor.js';

const program = fileURLToPath(new URL('../../bin/msgsite.js', import.meta.url));
const faulty = '{ "product": { "name": "A", "entity": "a" }, "banner": { "toen": "ok" } }';

async function start(options: EditorOptions = {}) {
  const editor = await startEditor(options);
  onTestFinished(editor.kill);
  return editor;
}

describe('the language server', () => {
  it('exits with code 0 after a shutdown request', async () => {
    expect(await (await start()).quit()).toBe(0);
  });

  it('exits with code 1 without a shutdown request, or when the client closes its stream', async () => {
    const leaving = await start();
    await leaving.connection.sendNotification('exit');
    expect(await leaving.exit()).toBe(1);
    const gone = await start();
    gone.child.stdin?.destroy();
    expect(await gone.exit()).toBe(1);
  });

  it('exits without delay during the check of a large document', async () => {
    const busy = await start();
    const items = Array.from({ length: 40_000 }, (_, index) => ({ id: `A-${index}` }));
    await busy.open('file:///nowhere/a.screen.json', JSON.stringify({ table: { rows: items } }));
    expect(await busy.quit()).toBe(0);
  });

  it("exits when the client's process exits, even if its streams stay open", async () => {
    const client = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    onTestFinished(() => void client.kill('SIGKILL'));
    const orphan = await start({ processId: Number(client.pid) });
    client.kill('SIGKILL');
    expect(await orphan.exit()).toBe(1);
  });

  it("does not exit if the client's process is not visible", async () => {
    const client = spawn(process.execPath, ['-e', '']);
    await once(client, 'exit');
    const contained = await start({ processId: Number(client.pid) });
    expect(await contained.quit()).toBe(0);
  });

  it('exits with the code of the signal that stops it', async () => {
    const ended = await start();
    ended.child.kill('SIGTERM');
    expect(await ended.exit()).toBe(143);
  });
});

describe('validate-screen --lsp', () => {
  it.each([
    [['--lsp', 'a.screen.json'], 'Remove files'],
    [['--lsp', '--fix'], 'Remove --fix'],
    [['--lsp', '--max-warnings', '0'], 'Remove --max-warnings'],
    [['--lsp', '--json'], 'Remove --json'],
    [['--stdio'], '--stdio works only with --lsp'],
  ])('rejects the arguments %j', async (words, message) => {
    const { exitCode, stderr, stdout } = await runCli(['validate-screen', ...words]);
    expect(exitCode).toBe(2);
    expect(`${stderr}${stdout}`).toContain(message);
  });

  it('accepts --stdio, and --max-size as the size limit of a document', async () => {
    const small = await start({ words: ['--stdio', '--max-size', '1MB'] });
    const uri = 'file:///nowhere/large.screen.json';
    await small.open(uri, `${faulty}${' '.repeat(1024 ** 2)}`);
    await expect.poll(() => small.messages.join()).toContain('larger than 1 MB');
    await small.write(uri, 2, faulty);
    expect(await small.published(uri, 2)).toMatchObject([{ code: 'unknown-property' }]);
  });

  it('writes only protocol messages, even after invalid requests', async () => {
    const child = spawn(process.execPath, [program, 'validate-screen', '--lsp', '--stdio'], {
      env: { PATH: process.env.PATH ?? '' },
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('latin1').on('data', (text: string) => (stdout += text));
    child.stderr.on('data', (text: Buffer) => (stderr += text));
    const send = (message: object | string): void => {
      const body = typeof message === 'string' ? message : JSON.stringify(message);
      child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    };
    const jsonrpc = '2.0';
    send('{not json');
    send({ jsonrpc, id: 1, method: 'textDocument/hover', params: {} });
    send({ jsonrpc, id: 2, method: 'initialize', params: { processId: null, capabilities: {} } });
    send({ jsonrpc, id: 3, method: 'initialize', params: { processId: null, capabilities: {} } });
    send({ jsonrpc, id: 4, method: 'workspace/noSuchThing', params: [1] });
    send({ jsonrpc, method: 'textDocument/didChange', params: { textDocument: { uri: 'a' } } });
    send({ jsonrpc, id: 5, method: 'textDocument/completion', params: null });
    send({ jsonrpc, id: 6, method: 'shutdown' });
    send({ jsonrpc, method: 'exit' });
    const [code] = await once(child, 'close');
    const responses = new Map<unknown, { error?: unknown }>();
    let rest = stdout;
    while (rest !== '') {
      const [head = '', length = '0'] = /^Content-Length: (\d+)\r\n\r\n/.exec(rest) ?? [];
      expect(head).not.toBe('');
      const message = JSON.parse(rest.slice(head.length, head.length + Number(length)));
      responses.set(message.id, message);
      rest = rest.slice(head.length + Number(length));
    }
    expect(code).toBe(0);
    expect(stderr).toBe('');
    for (const id of [1, 3, 4, 5]) expect(responses.get(id)?.error).toBeDefined();
    for (const id of [2, 6]) expect(responses.get(id)?.error).toBeUndefined();
  });
});

describe('several folders in one editor', () => {
  it('applies a separate configuration to each folder until it is removed', async () => {
    const [outer, other] = [await makeTempFolder(), await makeTempFolder()];
    const config = (level: string) => JSON.stringify({ rules: { 'unknown-property': level } });
    await writeFile(join(outer, '.msgsite-screens.json'), config('info'));
    await writeFile(join(other, '.msgsite-screens.json'), config('off'));
    const editor = await start({ folders: [outer, other], capabilities: modern });
    const uris = [outer, other].map((folder) => pathToFileURL(join(folder, 'a.screen.json')).href);
    const [inOuter = '', inOther = ''] = uris;
    for (const uri of uris) await editor.open(uri, faulty);
    expect(await editor.published(inOuter)).toMatchObject([{ severity: 3 }]);
    expect(await editor.published(inOther)).toEqual([]);
    // After its folder is removed, a file is checked with the configuration in the same folder.
    await writeFile(join(outer, '.msgsite-screens.json'), config('error'));
    const removed = [{ uri: pathToFileURL(outer).href, name: 'outer' }];
    await editor.connection.sendNotification('workspace/didChangeWorkspaceFolders', {
      event: { added: [], removed },
    });
    await expect
      .poll(async () => (await editor.published(inOuter)).map(({ severity }) => severity))
      .toEqual([1]);
  });
});

it('the server responds to requests about other documents during the check of a very large one', async () => {
  const editor = await start({ capabilities: modern });
  const large = 'file:///nowhere/large.screen.json';
  const rows = Array.from({ length: 300_000 }, (_, id) => ({ id: `A-${id}` }));
  await editor.open(large, JSON.stringify({ table: { rows } }));
  const { document: _, ...params } = await editor.openAt('{ "product": { "na¦me": "A" } }');
  const hover = await editor.connection.sendRequest('textDocument/hover', params);
  expect(hover).toMatchObject({ contents: { kind: 'markdown' } });
  // There are no completions in the large document, because they would take too long after each letter.
  const first = { textDocument: { uri: large }, position: { line: 0, character: 1 } };
  expect(await editor.connection.sendRequest('textDocument/completion', first)).toBeNull();
  await editor.close(large);
});
