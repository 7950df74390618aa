import { createHash, type Hash } from 'node:crypto';
import type { Summary } from '#validators/export';
import { AppError } from '../base/errors.js';

/** Secrets without which some records are of no use, and what for. */
export const secretUses = {
  MSGSITE_JWT_SECRET: 'access tokens given out before stay good',
  MSGSITE_GATEWAY_KEY: 'cashiers stay signed in and open payments are watched on',
  MSGSITE_ENCRYPTION_SECRET: 'messages written under it can be read',
} as const;

export type SecretName = keyof typeof secretUses;

/** The secret that a record needs, if any. */
function secretOf(kind: string, record: object): SecretName | undefined {
  if (kind === 'user') return 'MSGSITE_JWT_SECRET';
  if (kind === 'cashier-session') return 'MSGSITE_GATEWAY_KEY';
  const isKeyed = kind === 'message' && 'scheme' in record && record.scheme === 'secret';
  return isKeyed ? 'MSGSITE_ENCRYPTION_SECRET' : undefined;
}

/** Text that is handed to the hashes in one go. */
const chunkLength = 64 * 1024;

export type Tally = ReturnType<typeof createTally>;

/** Counts records as they go by, kind after kind. */
export function createTally(kinds: readonly string[]) {
  const all = createHash('sha256');
  const counts = new Map<string, { records: number; hash: Hash }>();
  for (const kind of kinds) counts.set(kind, { records: 0, hash: createHash('sha256') });
  const secrets = new Set<SecretName>();
  let total = 0;
  let waiting = '';
  let current: { records: number; hash: Hash } | undefined;

  function flush(): void {
    all.update(waiting);
    current?.hash.update(waiting);
    waiting = '';
  }

  return {
    get records() {
      return total;
    },
    add(kind: string, line: string, record: object): void {
      const count = counts.get(kind);
      if (!count) throw new Error(`${kind} is no kind of record.`);
      if (count !== current || waiting.length > chunkLength) flush();
      current = count;
      waiting += `${line}\n`;
      count.records += 1;
      total += 1;
      const secret = secretOf(kind, record);
      if (secret) secrets.add(secret);
    },
    /** The SHA-256 of all lines so far. */
    digest(): string {
      flush();
      return all.copy().digest('hex');
    },
    summary(): Summary {
      flush();
      const kinds = [...counts].map(
        ([kind, { records, hash }]) =>
          [kind, { records, sha256: hash.copy().digest('hex') }] as const,
      );
      const sha256 = all.copy().digest('hex');
      return { records: total, sha256, kinds: Object.fromEntries(kinds) };
    },
    /** Secrets that records seen so far need. */
    secrets: (): readonly SecretName[] => [...secrets],
  };
}

/** Kinds of which two summaries tell different things. */
export function differences(a: Summary, b: Summary): string[] {
  const kinds = new Set([...Object.keys(a.kinds), ...Object.keys(b.kinds)]);
  return [...kinds].filter((kind) => {
    const [one, other] = [a.kinds[kind], b.kinds[kind]];
    return one?.records !== other?.records || one?.sha256 !== other?.sha256;
  });
}

/** Throws `data_damaged` where what was read back is not what was written. */
export function assertSame(written: Summary, found: Summary, place: string): void {
  const different = differences(written, found);
  if (different.length === 0 && written.sha256 === found.sha256) return;
  const list = different.map(
    (kind) =>
      `${kind} (${written.kinds[kind]?.records ?? 0} written, ${found.kinds[kind]?.records ?? 0} found)`,
  );
  throw new AppError(
    'data_damaged',
    `What was read back from ${place} is not what was written: ${list.join(', ')}.`,
    {
      hint: 'Nothing has been released for use. Look at the disk or the database, then try again.',
    },
  );
}
