/** Kinds that every deployment has a record of, however little it holds. */
const always = ['site-settings', 'site-ids', 'message-ids'];

/** Whether a record of this kind means that somebody has put something there. */
export function isContent(kind: string): boolean {
  return !always.includes(kind);
}

/** Secrets without which some records are of no use, and what for. */
const uses = {
  MSGSITE_JWT_SECRET: 'access tokens given out before stay good',
  MSGSITE_GATEWAY_KEY: 'cashiers stay signed in and open payments are watched on',
  MSGSITE_ENCRYPTION_SECRET: 'messages written under it can be read',
} as const;

export type SecretName = keyof typeof uses;

/** What a secret is needed for, in words. */
export function useOf(secret: SecretName): string {
  return uses[secret];
}

/** The secret that a record needs, if any. */
export function secretOf(kind: string, record: object): SecretName | undefined {
  if (kind === 'user') return 'MSGSITE_JWT_SECRET';
  if (kind === 'cashier-session') return 'MSGSITE_GATEWAY_KEY';
  const isKeyed = kind === 'message' && 'scheme' in record && record.scheme === 'secret';
  return isKeyed ? 'MSGSITE_ENCRYPTION_SECRET' : undefined;
}
