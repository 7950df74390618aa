import { createHash, type Hash } from 'node:crypto';
import type { Summary } from '#validators/export';
import { AppError } from '../base/errors.js';

/** Secrets that some records require, and the benefit of keeping each of them. */
export const secretUses = {
  MSGSITE_JWT_SECRET: 'existing access tokens stay valid',
  MSGSITE_GATEWAY_KEY: 'cashiers stay signed in, and open payments are still polled',
  MSGSITE_ENCRYPTION_SECRET: 'messages encrypted with it can be read',
} as const;

export type SecretName = keyof typeof secretUses;

/** Returns the secret that a record requires, if any. */
function secretOf(kind: string, record: object): SecretName | undefined {
  if (kind === 'user') return 'MSGSITE_JWT_SECRET';
  if (kind === 'cashier-session') return 'MSGSITE_GATEWAY_KEY';
  const isKeyed = kind === 'message' && 'scheme' in record && record.scheme === 'secret';
  return isKeyed ? 'MSGSITE_ENCRYPTION_SECRET' : undefined;
}

/** Number of characters that are collected before they are hashed. */
const chunkLength = 64 * 1024;

/** Returns a tally that counts and hashes records by kind. */
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
      if (!count) throw new Error(`${kind} is not a kind of record.`);
      if (count !== current || waiting.length > chunkLength) flush();
      current = count;
      waiting += `${line}\n`;
      count.records += 1;
      total += 1;
      const secret = secretOf(kind, record);
      if (secret) secrets.add(secret);
    },
    /** Returns the SHA-256 of all lines so far. */
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
    /** Returns the secrets that the records so far require. */
    secrets: (): readonly SecretName[] => [...secrets],
  };
}

/** Returns the kinds in which two summaries differ. */
export function differences(a: Summary, b: Summary): string[] {
  const kinds = new Set([...Object.keys(a.kinds), ...Object.keys(b.kinds)]);
  return [...kinds].filter((kind) => {
    const [one, other] = [a.kinds[kind], b.kinds[kind]];
    return one?.records !== other?.records || one?.sha256 !== other?.sha256;
  });
}

/** Throws `data_damaged` if the records that were read back differ from those that were written. */
export function assertSame(written: Summary, found: Summary, place: string): void {
  const different = differences(written, found);
  if (different.length === 0 && written.sha256 === found.sha256) return;
  const list = different.map(
    (kind) =>
      `${kind} (${written.kinds[kind]?.records ?? 0} written, ${found.kinds[kind]?.records ?? 0} found)`,
  );
  throw new AppError(
    'data_damaged',
    `The data read back from ${place} differs from the data written: ${list.join(', ')}.`,
    {
      hint: 'None of it can be used. Check the disk or the database, then try again.',
    },
  );
}
