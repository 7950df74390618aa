import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startServe } from '../helpers/msgsite-process.js';
import { runCli } from '../helpers/run-cli.js';
import { startTestServer } from '../helpers/test-server.js';
import { judge } from './book.js';
import type { FoundFolder } from './disk-history.js';
import { writeFolder } from './found-folder.js';
import { lookAround, makeNew, repeat, type Scene, settle } from './look-around.js';
import { environment, type Workload } from './workload.js';

export interface StateCheck extends Workload {
  readonly state: FoundFolder;
  /** The time of the power cut. */
  readonly at: number;
  /** The folder that the state is written to. Its content is replaced. */
  readonly data: string;
  readonly webhooks: string;
  /** True if the server is a separate process. */
  readonly isReal: boolean;
}

/** Returns the faults of a state; none if the service works as it did before the power cut. */
export async function checkState(check: StateCheck): Promise<string[]> {
  const { data, state, isReal } = check;
  await rm(data, { recursive: true, force: true });
  writeFolder(state, data);
  const faults: string[] = [];
  try {
    const report = await checkData(data, state);
    faults.push(...report);
    const after = await serving(check, isReal, async (scene) => {
      const seen = await lookAround(scene);
      faults.push(...seen.faults, ...judge(scene.book, scene.at, seen));
      faults.push(...(await repeat(scene)), ...(await makeNew(scene)), ...(await settle(scene)));
      return lookAround(scene);
    });
    faults.push(...after.faults, ...(await checkData(data, state)));
    await serving(check, false, async (scene) => {
      const again = await lookAround(scene);
      faults.push(...again.faults);
      for (const [name, value] of after.values) {
        if (again.values.get(name) !== value) {
          faults.push(
            `${name}: was ${value} before a restart and is now ${again.values.get(name)}`,
          );
        }
      }
      for (const name of again.values.keys()) {
        if (!after.values.has(name)) faults.push(`${name}: appeared after a restart`);
      }
      for (const [name, id] of after.ids) {
        if (again.ids.get(name) !== id) faults.push(`${name}: has a different ID after a restart`);
      }
    });
  } catch (error) {
    faults.push(`Unexpected error: ${error instanceof Error ? error.message : String(error)}`);
  }
  await rm(data, { recursive: true });
  // Keeps the state for debugging.
  if (faults.length > 0) writeFolder(state, data);
  return faults;
}

/** Returns the errors that `data check` reports; an empty folder has none. */
async function checkData(data: string, state: FoundFolder): Promise<string[]> {
  if (state.files.size + state.folders.size === 0) return [];
  const { exitCode, stdout, stderr } = await runCli(['data', 'check', '--data', data, '--json']);
  if (exitCode === 0) return [];
  const { findings } = JSON.parse(stdout) as {
    findings?: { severity: string; file: string; line?: number; message: string }[];
  };
  if (!findings) return [`data check exited with ${exitCode}: ${stderr.split('\n')[0]}`];
  return findings
    .filter(({ severity }) => severity === 'error')
    .map(({ file, line, message }) => `data check: ${file.slice(data.length)}:${line} ${message}`);
}

/** Starts a server on the folder, runs `work` and stops the server, which must exit with 0. */
async function serving<Result>(
  { data, webhooks, book, cast, at }: StateCheck,
  isReal: boolean,
  work: (scene: Scene) => Promise<Result>,
): Promise<Result> {
  const env = { ...environment, MSGSITE_WEBHOOKS: webhooks };
  if (!isReal) {
    const server = await startTestServer({ data, env });
    try {
      return await work({ ...server, data, webhooks, book, cast, at });
    } finally {
      await server.close();
    }
  }
  const server = await startServe(['--data', data], { env, cwd: join(data, '..') });
  try {
    const result = await work({ ...server, data, webhooks, book, cast, at });
    const code = await server.end('SIGTERM');
    if (code !== 0) throw new Error(`serve exited with ${code}: ${server.stderr()}`);
    return result;
  } finally {
    server.child.kill('SIGKILL');
    await server.exit();
  }
}
