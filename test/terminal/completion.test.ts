import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawn } from '@lydell/node-pty';
import headless from '@xterm/headless';
import { beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../helpers/run-cli.js';

const scripts: Record<string, string> = {};
/** A folder with files named like completions, and with names that need quotes. */
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'msgsite-'));
  for (const name of ['my folder', 'pay', 'open']) await mkdir(join(folder, name));
  for (const name of ['a file.csv', 'unknown.json']) await writeFile(join(folder, name), '');
  for (const shell of ['bash', 'zsh', 'fish']) {
    scripts[shell] = (await runCli(['completion', shell])).stdout;
    await writeFile(join(folder, shell === 'zsh' ? '_msgsite' : `.${shell}`), scripts[shell]);
  }
  await symlink(
    fileURLToPath(new URL('../../bin/msgsite.js', import.meta.url)),
    join(folder, 'msgsite'),
  );
});

/** Returns a PATH in which the completion scripts find the program. */
const path = () => [folder, dirname(process.execPath), process.env.PATH].join(delimiter);

/** Returns the completions that the program offers for the last word of a line after `msgsite`. */
async function offers(line: string): Promise<string[]> {
  const { stdout } = await runCli(['__complete', '--', ...line.split(' ')]);
  return stdout
    .split('\n')
    .flatMap((each) => (/^(?!:)./.test(each) ? (each.split('\t')[0] ?? []) : []));
}

/** Lines after `msgsite`, with the completions expected for their last word. */
const cases: readonly (readonly [string, { all?: string; some?: string; never?: string }])[] = [
  ['pay q', { all: 'qr' }],
  ['pay qr --amount 1500 --', { some: '--json --help --timeout', never: '--amount' }],
  ['pay qr --amount=1500 --a', { all: '' }],
  ['pay qr --no-wait --no', { all: '' }],
  ['pay qr -d shop --data', { all: '--database' }],
  ['pay payments --state ', { all: 'ended in_doubt open unknown' }],
  ['pay payments --state o', { all: 'open' }],
  ['pay payments --state open --kind ', { all: 'payment refund' }],
  ['pay wait 17 --type ', { all: 'invoice qr' }],
  ['pay qr --amount ', { all: '' }],
  ['pay logout ', { all: '' }],
  ['completion ', { all: 'bash fish zsh' }],
  ['completion b', { all: 'bash' }],
  ['webhooks trigger payment.s', { all: 'payment.success' }],
  ['webhooks verify --header x --header', { all: '--header --headers' }],
  ['--json pay in', { all: 'invoice' }],
  ['pay --json r', { all: 'reconcile refund report' }],
  ['--json --', { all: '--help --verbose --version' }],
  ['pay --', { all: '--help --json --verbose' }],
  ['pay invoice ', { all: 'cancel client help list show' }],
  ['pay invoice --phone 8701 --comm', { all: '--comment' }],
  ['', { some: 'help pay version', never: 'unknown.json' }],
  ['help pay in', { all: 'invoice' }],
  ['pay help in', { all: 'invoice' }],
  ['help ', { some: 'pay', never: 'help' }],
  ['pay qr -- ', { all: '' }],
];

function assertOffered(offered: string[], { all, some = '', never }: (typeof cases)[number][1]) {
  const sorted = offered.filter((word) => word !== '').sort();
  if (all !== undefined) expect(sorted.join(' ')).toBe(all);
  for (const word of some.split(' ')) if (word !== '') expect(sorted).toContain(word);
  if (never) expect(sorted).not.toContain(never);
}

describe('completion', () => {
  it.each(cases)('offers only matching words for `%s`', async (line, expected) => {
    assertOffered(await offers(line), expected);
  });

  it.each([
    ['data import a', ':files'],
    ['pay qr --data m', ':folders'],
    ['pay qr --amount 1', ':none'],
  ])('ends the output for `%s` with %s', async (line, last) => {
    const { stdout } = await runCli(['__complete', '--', ...line.split(' ')]);
    expect(stdout.trimEnd().split('\n').at(-1)).toBe(last);
  });

  it('offers values after = with their flag', async () => {
    expect(await offers('pay payments --state=o')).toEqual(['--state=open']);
  });
});

describe('completion in bash', () => {
  /** Returns the completions of each line from one shell process, which runs `setUp` first. */
  function ask(lines: readonly string[], setUp = ''): string[][] {
    const calls = lines.map((line) => {
      const words = `msgsite ${line}`.split(' ').map((word) => `'${word}'`);
      return `COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _msgsite msgsite; echo "\${COMPREPLY[*]}"`;
    });
    const script = `${setUp}\n${scripts.bash}\n${calls.join('\n')}`;
    const { stdout, stderr } = spawnSync('bash', ['-c', script], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, PATH: path() },
    });
    expect(stderr).toBe('');
    return stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => line.split(' '));
  }
  const newer = 'compopt() { :; }';

  it('offers what the program prints', () => {
    const answers = ask(['pay q', 'pay payments --state in', 'pay qr --amount ', 'version'], newer);
    expect(answers.map((words) => words.join(' '))).toEqual(['qr', 'in_doubt', '', 'version']);
  });

  it.each([
    ['three words, as in newer versions', ['--state', '=', 'o'], 'open'],
    ['three words with an empty last word', ['--state', '='], 'open ended unknown in_doubt'],
    ['one word, as in version 3.2', ['--state=o'], 'open'],
  ])('reads --state=o as %s', (_, words, offered) => {
    expect(ask([['pay payments', ...words].join(' ')], newer)[0]?.join(' ')).toBe(offered);
  });

  it('returns the whole word if = does not separate words', () => {
    expect(ask(['pay payments --state=o'], `${newer}; COMP_WORDBREAKS=' '`)).toEqual([
      ['--state=open'],
    ]);
  });

  it('uses only syntax that version 3.2 supports', () => {
    const newerWords =
      /mapfile|readarray|declare -A|local -[An]|\$\{\w+(,,|\^\^|@[QEPA])|\[\[.* -v |coproc|;;&|;&|\|&|&>>|printf '%\(|\$\{\w+: -|globstar|\{\w+\}[<>]/;
    expect(scripts.bash).not.toMatch(newerWords);
    const { status, stderr } = spawnSync('bash', ['--posix', '-n'], {
      input: scripts.bash ?? '',
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, '']);
  });

  it('completes in an interactive shell', async () => {
    const shell = openShell('bash', ['--norc', '--noprofile', '-i']);
    await shell.say("PS1='> '; source .bash; bind 'set bell-style none'; clear; echo ready");
    await shell.shows(/ready\n> $/);
    await shell.completes('msgsite pay payments --state=o\t', '--state=open ');
    await shell.completes('msgsite pay payments --state in\t', '--state in_doubt ');
    await shell.completes('msgsite data import a\t', 'data import a\\ file.csv ');
    await shell.completes('msgsite pay qr --data m\t', '--data my\\ folder/');
    // The file is not offered.
    await shell.completes('msgsite pay qr --amount unk\t 7', '--amount unk 7');
    shell.end();
  });
});

describe('completion in fish', () => {
  it('completes names, files, folders and values after =', (context) => {
    if (!isInstalled('fish')) context.skip('fish is not installed here');
    const ask = (line: string) => {
      const script = `source .fish; complete -C '${line}'`;
      const { stdout } = spawnSync('fish', ['-N', '-c', script], {
        cwd: folder,
        encoding: 'utf8',
        env: { ...process.env, PATH: path() },
      });
      return stdout.split('\n').map((each) => each.split('\t')[0]);
    };
    expect(ask('msgsite pay q')).toContain('qr');
    expect(ask('msgsite data import a')).toContain('a file.csv');
    expect(ask('msgsite pay qr --data m')).toContain('my folder/');
    expect(ask('msgsite pay payments --state=o')).toContain('--state=open');
  });
});

describe('completion in zsh', () => {
  it.for([
    [
      'through fpath at the first TAB',
      'fpath=($PWD $fpath); autoload -Uz compinit; compinit -u -D',
    ],
    ['by source', 'autoload -Uz compinit; compinit -u -D; source ./_msgsite'],
    ['by source before compinit', 'source ./_msgsite'],
  ])('works when loaded %s', async ([, setUp], context) => {
    if (!isInstalled('zsh')) context.skip('zsh is not installed here');
    const shell = openShell('zsh', ['-f', '-i']);
    await shell.say(`PS1='> '; ${setUp}; unsetopt beep; clear; echo ready`);
    await shell.shows(/ready\n> $/);
    await shell.completes('msgsite pay q\t', 'pay qr ');
    await shell.completes('msgsite pay payments --state=in\t', '--state=in_doubt');
    await shell.completes('msgsite pay qr --amount 1500 --tim\t', '--timeout ');
    await shell.completes('msgsite data import a\t', 'data import a\\ file.csv');
    await shell.completes('msgsite pay qr --data m\t', '--data my\\ folder/');
    await shell.completes('msgsite pay payments --state unk\t', '--state unknown');
    await shell.completes('msgsite help pay inv\t', 'help pay invoice');
    shell.end();
  });
});

function isInstalled(shell: string): boolean {
  return spawnSync(shell, ['--version']).error === undefined;
}

const maxWait = 15_000;

/** Opens a shell on its own terminal. */
function openShell(name: string, argv: readonly string[]) {
  const size = { cols: 100, rows: 30 };
  const screen = new headless.Terminal({ ...size, allowProposedApi: true });
  const env = { PATH: path(), HOME: folder, TERM: 'xterm', INPUTRC: '/dev/null' };
  const child = spawn(name, [...argv], { cwd: folder, env, ...size });
  let changed = () => {};
  child.onData((data) => screen.write(data, () => changed()));
  const text = () => {
    const { active } = screen.buffer;
    const lines = Array.from({ length: size.rows }, (_, row) =>
      active.getLine(active.baseY + row)?.translateToString(true),
    );
    return lines.join('\n').trimEnd();
  };
  const shows = (wanted: RegExp) =>
    new Promise<void>((resolve, reject) => {
      // Without this, a shell that prints nothing would only be detected when the test times out.
      const timer = setTimeout(() => reject(new Error(`${wanted}:\n${text()}`)), maxWait);
      changed = () => {
        if (wanted.test(`${text()} `.replace(/> +$/, '> '))) {
          clearTimeout(timer);
          resolve();
        }
      };
      changed();
    });
  return {
    shows,
    async say(line: string) {
      child.write(`${line}\r`);
    },
    /** Types on an empty line, waits for the completed text, and clears the line. */
    async completes(keys: string, wanted: string) {
      child.write(keys);
      const literal = wanted.trim().replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
      await shows(new RegExp(`> msgsite .*${literal}\\s*$`));
      child.write('\u0015');
      await shows(/> $/);
    },
    end() {
      child.kill();
    },
  };
}
