import { execFile, spawnSync } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { globSync } from 'tinyglobby';
import { makeTempFolder } from '../helpers/temp-folder.js';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * The machine on which pages are followed. It differs from a reader's machine as follows:
 * - The ports on a page are replaced by free ports, in commands and in their output.
 * - `npm ci` does nothing, because the fresh clone already contains the packages of this checkout.
 * - `msgsite` is on the PATH, as after `npm i -g .`.
 * - The sandbox runs faster, and passwords are hashed at a low cost.
 * - `createdb` creates the database DOCS_DATABASE on the test run's server, and `jq` prints a single field. These
 *   replacements are necessary because not every machine has these programs.
 */
export interface Machine {
  /** The fresh clone, which is the working directory. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** Replaces the ports and paths of a page with those of this machine. */
  here(text: string): string;
  /** Replaces the ports and paths of this machine with those of the page. */
  there(text: string): string;
}

/** The ports on pages: those of the site, the gateway, and others. */
const namedPorts = ['3000', '3001', '3002', '4000', '4301'];

export interface MachineOptions {
  /** Further replacements: text on a page, and the text that replaces it. */
  readonly instead?: Readonly<Record<string, string>>;
  /** True if the page's ports are not replaced, because no server is started on them. */
  readonly keepPorts?: boolean;
  /** The address of the PostgreSQL server for `createdb`. */
  readonly postgres?: string;
}

export async function makeMachine(options: MachineOptions): Promise<Machine> {
  const { instead = {}, keepPorts = false, postgres } = options;
  const folder = await makeClone();
  const home = await makeTempFolder();
  const programs = await makePrograms(folder, postgres);
  const ports = keepPorts ? [] : namedPorts;
  const free = await Promise.all(ports.map(freePort));
  const replaced: [string, string][] = [
    ...ports.map((port, index): [string, string] => [port, free[index] ?? '']),
    ...Object.entries(instead),
  ];
  return {
    folder,
    env: {
      PATH: [programs, process.env.PATH ?? ''].join(delimiter),
      HOME: home,
      TERM: 'dumb',
      LANG: 'C.UTF-8',
      MSGSITE_PORT: free[0] ?? '',
      MSGSITE_GATEWAY_PORT: free[1] ?? '',
      MSGSITE_BCRYPT_COST: '4',
      MSGSITE_SANDBOX_SPEED: '10',
      MSGSITE_POLL_INTERVAL: '0.2',
    },
    here: (text) => replaced.reduce((all, [from, to]) => swap(all, from, to), text),
    there: (text) =>
      replaced.reduce((all, [from, to]) => swap(all, to, from), text).replaceAll(folder, '.'),
  };
}

/** Replaces all occurrences of a text. A number is not replaced within a longer number. */
function swap(text: string, from: string, to: string): string {
  if (!/^\d+$/.test(from)) return text.replaceAll(from, to);
  return text.replace(new RegExp(`(?<![\\d.,])${from}(?!\\d)`, 'g'), to);
}

async function makeClone(): Promise<string> {
  original ??= makeOriginal();
  const folder = await makeTempFolder();
  await promisify(execFile)('cp', ['-R', `${await original}/.`, folder]);
  return folder;
}

/** Cached, because selecting the files takes ten times as long as copying them. */
let original: Promise<string> | undefined;

/** Creates a folder like the one after `git clone` and `npm ci`. Of dist/, it contains only the published files. */
async function makeOriginal(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'msgsite-'));
  const { files } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const published = globSync(files, { cwd: root, onlyFiles: true });
  const parts = ['package.json', 'action', 'deploy', 'docs/examples', 'test/screens/valid'];
  await Promise.all(
    [...published, ...parts].map((part) =>
      cp(join(root, part), join(folder, part), { recursive: true }),
    ),
  );
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

async function makePrograms(clone: string, postgres = ''): Promise<string> {
  const folder = join(await makeTempFolder(), 'bin');
  await mkdir(folder);
  const npm = spawnSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).stdout.trim();
  const node = `'${process.execPath}'`;
  const programs = {
    node: `exec ${node} "$@"`,
    npm: `[ "$1" = ci ] || exec '${npm}' "$@"`,
    msgsite: `exec ${node} '${clone}/bin/msgsite.js' "$@"`,
    createdb: `exec ${node} '${folder}/createdb.mjs'`,
    jq: `exec ${node} '${folder}/jq.mjs' "$@"`,
  };
  await Promise.all(
    Object.entries(programs).map(async ([name, text]) => {
      await writeFile(join(folder, name), `#!/bin/sh\n${text}\n`);
      await chmod(join(folder, name), 0o755);
    }),
  );
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(
    join(folder, 'createdb.mjs'),
    `import { Client } from 'pg';
const client = new Client('${postgres}/postgres');
await client.connect();
await client.query(\`create database \${process.env.DOCS_DATABASE} encoding 'UTF8' template template0\`);
await client.end();
`,
  );
  await writeFile(
    join(folder, 'jq.mjs'),
    `import { readFileSync } from 'node:fs';
const [, , , field, file = 0] = process.argv;
console.log(JSON.parse(readFileSync(file, 'utf8'))[field.slice(1)]);
`,
  );
  return folder;
}

/** Returns a free port below the range that systems assign, so that no other program takes it in the meantime. */
async function freePort(): Promise<string> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    const isFree = await new Promise((resolve) => {
      const probe = createServer()
        .once('error', () => resolve(false))
        .listen(port, () => probe.close(() => resolve(true)));
    });
    if (isFree) return String(port);
  }
}
