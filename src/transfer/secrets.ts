/** Secrets without which some records are of no use, and what for. */
export const secretUses = {
  MSGSITE_JWT_SECRET: 'access tokens given out before stay good',
  MSGSITE_GATEWAY_KEY: 'cashiers stay signed in and open payments are watched on',
  MSGSITE_ENCRYPTION_SECRET: 'messages written under it can be read',
} as const;

export type SecretName = keyof typeof secretUses;

/** The secret that a record needs, if any. */
export function secretOf(kind: string, record: object): SecretName | undefined {
  if (kind === 'user') return 'MSGSITE_JWT_SECRET';
  if (kind === 'cashier-session') return 'MSGSITE_GATEWAY_KEY';
  const isKeyed = kind === 'message' && 'scheme' in record && record.scheme === 'secret';
  return isKeyed ? 'MSGSITE_ENCRYPTION_SECRET' : undefined;
}
