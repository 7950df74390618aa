import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

const builtProgram = fileURLToPath(new URL('../../bin/msgsite.js', import.meta.url));

export interface ProcessOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Another copy of bin/msgsite.js. */
  readonly program?: string;
}

/** A msgsite process, whose output is collected. */
export interface MsgsiteProcess {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  stdout(): string;
  stderr(): string;
  /** Resolves with the match as soon as stdout matches. Rejects if the process exits first. */
  waitFor(pattern: RegExp): Promise<RegExpMatchArray>;
  /** Sends a signal to this process and returns its exit code (null if the signal terminated it). */
  end(signal: NodeJS.Signals): Promise<number | null>;
  exit(): Promise<number | null>;
}

/** Starts the built program with these words in a separate process. */
export function startMsgsite(
  argv: readonly string[],
  options: ProcessOptions = {},
): MsgsiteProcess {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [options.program ?? builtProgram, ...argv], {
    cwd: options.cwd,
    env: { PATH, HOME, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  async function exit(): Promise<number | null> {
    if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
    return child.exitCode;
  }
  return {
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    exit,
    waitFor(pattern) {
      return new Promise((resolve, reject) => {
        const check = () => {
          const match = stdout.match(pattern);
          if (match) resolve(match);
        };
        child.stdout.on('data', check);
        child.once('close', (code) =>
          reject(
            new Error(
              `The process exited (${code}) before it printed ${pattern}: ${stdout}${stderr}`,
            ),
          ),
        );
        check();
      });
    },
    end(signal) {
      child.kill(signal);
      return exit();
    },
  };
}

/** Starts a serving process and returns it with the addresses that it printed. */
export async function startServe(
  argv: readonly string[],
  options: ProcessOptions = {},
): Promise<MsgsiteProcess & { readonly site: string; readonly gateway: string }> {
  const env = {
    MSGSITE_PORT: '0',
    MSGSITE_GATEWAY_PORT: '0',
    MSGSITE_BCRYPT_COST: '4',
    ...options.env,
  };
  const serving = startMsgsite(['serve', '--json', ...argv], { ...options, env });
  const [text] = await serving.waitFor(/\{[^}]*\}\n/);
  const { site = '', gateway = '' } = JSON.parse(text) as { site?: string; gateway?: string };
  if (!site && !gateway) throw new Error(`The process serves nothing: ${text}`);
  return { ...serving, site, gateway };
}
