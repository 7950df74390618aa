import { rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { runCli } from '../helpers/run-cli.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { startTestServer } from '../helpers/test-server.js';
import type { FoundFile, FoundFolder } from '../power-cut/disk-history.js';
import { writeFolder } from '../power-cut/found-folder.js';
import { lookAround, runBeside } from '../power-cut/look-around.js';
import { createRandom } from '../power-cut/random.js';
import { environment } from '../power-cut/workload.js';
import { damage, damages, fileAt, pathsIn, readFolder, replaceFiles } from './damage.js';
import { type FileKind, fileKinds } from './file-kinds.js';
import { makeUsedFolder, type UsedFolder } from './used-folder.js';

/**
 * Number of rounds that damage a file of each kind. A round takes minutes, so the default is 0.
 * test/commands/data-repair.long.test.ts damages the files one by one.
 */
const rounds = Number(process.env.MSGSITE_TEST_DAMAGES ?? 0);
const seed = process.env.MSGSITE_TEST_DAMAGE_SEED ?? String(Date.now());

/** One existing file of each kind. */
type Chosen = ReadonlyMap<FileKind, string>;

it.runIf(rounds > 0)(
  `data check detects and repairs damage to a file of any kind, and serve serves the rest (seed ${seed})`,
  async () => {
    const folder = await makeTempFolder();
    const used = await makeUsedFolder(folder);
    const whole = readFolder(used.data);
    const paths = pathsIn(whole);
    const kindOf = (path: string) => fileKinds.find((kind) => kind.path.test(path));
    expect(paths.filter((path) => !kindOf(path))).toEqual([]);
    const isMissing = ({ path, isRare }: FileKind) =>
      !isRare && !paths.some((each) => path.test(each));
    expect(fileKinds.filter(isMissing).map(({ path }) => path)).toEqual([]);

    const data = join(folder, 'damaged');
    const place = { ...used, data };
    writeFolder(whole, data);
    const before = await see(place);
    expect(before.faults).toEqual([]);

    const faults: string[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const random = createRandom(`${seed} ${round}`);
      const type = random.of(damages);
      const kinds = fileKinds.filter((kind) => paths.some((path) => kindOf(path) === kind));
      for (const kind of kinds) {
        const path = random.of(paths.filter((each) => kindOf(each) === kind));
        const chosen: Chosen = new Map([[kind, path]]);
        const state = damageAll(whole, chosen, (bytes, { isUnchecked }) =>
          damage(bytes, isUnchecked ? 4096 : type, random),
        );
        const found = await checkDamage({ place, state, chosen, before });
        faults.push(...found.map((fault) => `round ${round} (${type} of ${path}): ${fault}`));
      }
    }
    expect(faults.join('\n')).toBe('');
  },
  7_200_000,
);

function damageAll(
  whole: FoundFolder,
  chosen: Chosen,
  change: (bytes: Uint8Array, kind: FileKind) => Uint8Array,
): FoundFolder {
  const others = new Map<FoundFile, FoundFile>();
  for (const [kind, path] of chosen) {
    const file = fileAt(whole, path);
    others.set(file, { bytes: change(file.bytes, kind) });
  }
  return replaceFiles(whole, others);
}

interface DamageCheck {
  readonly place: UsedFolder;
  readonly state: FoundFolder;
  readonly chosen: Chosen;
  readonly before: Seen;
}

async function checkDamage({ place, state, chosen, before }: DamageCheck): Promise<string[]> {
  const { data } = place;
  await rm(data, { recursive: true });
  writeFolder(state, data);
  const faults: string[] = [];
  const kinds = [...chosen.keys()];
  const first = await check(data);
  if (first.refusal) faults.push(`data check fails: ${first.refusal}`);
  // References to a lost record are also reported.
  const findings = first.findings.filter(({ message }) => !/references unknown/.test(message));
  const named = new Set(findings.map(({ file }) => file));
  for (const [{ effect }, path] of chosen) {
    if (effect !== 'harmless' && !first.refusal && !named.has(join(data, path))) {
      faults.push(`data check does not name ${path}`);
    }
  }
  // A file with two names is damaged under both.
  const others = [...chosen.values()].map((path) => fileAt(state, path));
  const damaged = pathsIn(state).filter((path) => others.includes(fileAt(state, path)));
  for (const file of named) {
    if (damaged.some((path) => join(data, path) === file)) continue;
    faults.push(`data check names ${file}, which is intact`);
  }
  // A provider that has lost its session reports that. While the session is damaged, the provider fails.
  const isSignedOut = ({ message }: Error) =>
    kinds.some(({ endsSessions }) => endsSessions) &&
    / responded with (401|500: .*"(session_ended|provider_error)")/.test(message);
  const hasToStop = kinds.some(({ effect }) => effect === 'stops');
  const seen = await see(place).catch((error: Error) => error);
  if (seen instanceof Error) {
    if (!hasToStop && !isSignedOut(seen)) faults.push(`serve does not start: ${seen.message}`);
    else if (hasToStop && !/data check --repair/.test(wordsOf(seen))) {
      faults.push(`serve does not explain what to do: ${wordsOf(seen)}`);
    }
  } else {
    if (hasToStop) faults.push('serve starts in spite of the damage');
    faults.push(...compare(before, seen, kinds));
  }
  if (kinds.every(({ effect }) => effect === 'harmless')) return faults;

  const repair = await runCli(['data', 'check', '--repair', '--data', data, '--json']);
  if (repair.exitCode !== 0) faults.push(`repair exited with ${repair.exitCode}: ${repair.stderr}`);
  const second = await check(data);
  if (second.exitCode !== 0) {
    const left = second.findings.map(({ file, line, message }) => `${file}:${line} ${message}`);
    faults.push(`remaining after the repair: ${second.refusal ?? left.join(', ')}`);
  }
  const after = await see(place).catch((error: Error) => error);
  if (after instanceof Error) {
    if (!isSignedOut(after)) faults.push(`after the repair: ${wordsOf(after)}`);
  } else faults.push(...compare(before, after, kinds));
  return faults;
}

function wordsOf(error: Error): string {
  const { hint = '' } = error as { readonly hint?: string };
  return `${error.message} ${hint}`;
}

/** Returns true if a file of a data folder belongs to a record folder. */
function isRecord(path: string): boolean {
  return /^(orders|payments|sandbox|state|webhooks)\//.test(path);
}

interface Finding {
  readonly severity: string;
  readonly file: string;
  readonly line?: number;
  readonly message: string;
}

async function check(data: string) {
  const { exitCode, stdout, stderr } = await runCli(['data', 'check', '--data', data, '--json']);
  const { findings } = JSON.parse(stdout) as { readonly findings?: readonly Finding[] };
  // A lost last line cannot be distinguished from one that was never acknowledged, so it is only a note.
  const errors = (findings ?? []).filter(
    ({ severity, file }) => severity === 'error' || isRecord(relative(data, file)),
  );
  return { exitCode, findings: errors, refusal: findings ? undefined : stderr };
}

interface Seen {
  readonly values: ReadonlyMap<string, string>;
  readonly faults: readonly string[];
}

/** Returns all values that a server on the folder returns, and the deliveries. */
async function see(place: UsedFolder): Promise<Seen> {
  const env = {
    ...environment,
    MSGSITE_WEBHOOKS: place.webhooks,
    MSGSITE_WEBHOOK_DELAYS: '0,3600',
  };
  const server = await startTestServer({ data: place.data, env });
  try {
    const sight = await lookAround({ ...place, ...server, data: place.data, at: Number.MAX_VALUE });
    const values = new Map(sight.values);
    const { deliveries } = await runBeside(place, ['webhooks', 'list', '--limit', '0']);
    for (const { paymentId, event } of deliveries) values.set(`delivery ${paymentId} ${event}`, '');
    return { values, faults: sight.faults };
  } finally {
    await server.close();
  }
}

/** Returns the differences, except for records that may be missing. */
function compare(before: Seen, after: Seen, kinds: readonly FileKind[]): string[] {
  const mayBeMissing = (name: string) => kinds.some(({ loses }) => loses?.test(name));
  const faults: string[] = [];
  for (const [name, value] of before.values) {
    const now = after.values.get(name);
    if (now === value || mayBeMissing(name)) continue;
    faults.push(`${name}: is ${now}, was ${value}`.slice(0, 300));
  }
  for (const name of after.values.keys()) {
    // Payments may expire in the meantime, and a damaged message is shown without its text.
    if (/^delivery \d+ payment\.expired$/.test(name)) continue;
    if (before.values.has(name) || /^message in [^:]*: $/.test(name)) continue;
    // A placeholder replaces a lost record that others refer to.
    if (/\bLost (chat|account) \d+/.test(name) && kinds.some(({ effect }) => effect === 'stops'))
      continue;
    faults.push(`${name}: did not exist before`);
  }
  return faults;
}
