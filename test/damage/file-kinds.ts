/** A kind of file in a data folder, and the effect of damage to such a file. */
export interface FileKind {
  /** Paths in the data folder. */
  readonly path: RegExp;
  /**
   * `stops`: the server does not start, because the loss would go unnoticed. `served`: the server serves everything
   * that is not damaged. `harmless`: the file contains no data, or only data that is also stored elsewhere.
   */
  readonly effect: 'stops' | 'served' | 'harmless';
  /** Names of look-around.ts whose values may be missing or different after the damage; none by default. */
  readonly loses?: RegExp;
  /** Users who signed in before the damage must sign in again. */
  readonly endsSessions?: true;
  /** The file has no checksum, so only unreadable content is detected. */
  readonly isUnchecked?: true;
  /** The workload of the test does not create such a file. */
  readonly isRare?: true;
}

const day = String.raw`\d{4}-\d\d-\d\d`;

/**
 * Every kind of file. The test fails for a file without a kind. In that case, add its kind and the effect of its damage
 * here, and make sure that the damage is detected.
 */
export const fileKinds: readonly FileKind[] = [
  // Every version must be able to read this file (see data-folder.ts).
  { path: /^format\.json$/, effect: 'stops', isUnchecked: true },
  { path: /^secrets\.json$/, effect: 'stops', loses: /./, endsSessions: true },
  { path: /^serve\.lock$/, effect: 'harmless' },
  { path: /^transfer\.json$/, effect: 'stops', isRare: true },
  { path: /^state\/kept\/[^/]+\.jsonl$/, effect: 'served' },
  { path: /^site\.jsonl$/, effect: 'served', loses: /^(product|announcement|settings)/ },
  { path: /^(site\.|messaging\/)store\.json$/, effect: 'harmless' },
  { path: /^media\.jsonl$/, effect: 'served', isRare: true },
  { path: /^media\/[^/]+\.picture$/, effect: 'served', isRare: true },
  ...['users', 'chats', 'members', 'revoked-tokens'].flatMap((name): FileKind[] => [
    ...['snapshot', '\\d+'].map(
      (part): FileKind => ({
        path: RegExp(`^messaging/${name}\\.${part}\\.jsonl$`),
        effect: 'stops',
        loses: /./,
        endsSessions: true,
      }),
    ),
    { path: RegExp(`^messaging/${name}\\.durable\\.json$`), effect: 'harmless' },
  ]),
  { path: /^messaging\/idempotency-keys\.snapshot\.jsonl$/, effect: 'served' },
  { path: /^messaging\/idempotency-keys\.\d+\.jsonl$/, effect: 'served' },
  { path: /^messaging\/idempotency-keys\.durable\.json$/, effect: 'harmless' },
  { path: /^messaging\/messages\/journal\.\d+\.jsonl$/, effect: 'served', loses: /^message / },
  { path: /^messaging\/messages\/journal\.durable\.json$/, effect: 'harmless' },
  {
    path: /^messaging\/messages\/chats\/[\da-f]{2}\/\d+\.jsonl$/,
    effect: 'served',
    loses: /^message /,
  },
  { path: /^payments\/open\/[^/]+\.jsonl$/, effect: 'served', loses: /^payment / },
  { path: RegExp(`^payments/ended/${day}/[^/]+\\.jsonl$`), effect: 'served', loses: /^payment / },
  { path: /^payments\/ended\/by-id\/[^/]+\.jsonl$/, effect: 'served', loses: /^payment / },
  { path: /^payments\/unknown\/[^/]+\.jsonl$/, effect: 'served', loses: /^payment /, isRare: true },
  { path: /^payments\/organizations\/-?\d+$/, effect: 'harmless' },
  { path: /^payments\/intents\/in_doubt\/[^/]+\.jsonl$/, effect: 'served', isRare: true },
  {
    path: RegExp(`^payments/intents/(adopted|not_made)/${day}/[^/]+\\.jsonl$`),
    effect: 'served',
    isRare: true,
  },
  {
    path: RegExp(`^payments/refunds/kept/(${day}|by-id)/[^/]+\\.jsonl$`),
    effect: 'served',
    isRare: true,
  },
  {
    path: /^payments\/sessions\/kept\/[^/]+\.jsonl$/,
    effect: 'served',
    loses: /^cashier /,
    endsSessions: true,
  },
  { path: /^payments\/sign-ins\/kept\/[^/]+\.jsonl$/, effect: 'served' },
  { path: RegExp(`^payments/idempotency/kept/${day}/[^/]+\\.jsonl$`), effect: 'served' },
  { path: /^orders\/open\/[^/]+\.jsonl$/, effect: 'served', isRare: true },
  { path: RegExp(`^orders/ended/(${day}|by-id)/[^/]+\\.jsonl$`), effect: 'served', isRare: true },
  { path: RegExp(`^orders/keys/kept/${day}/[^/]+\\.jsonl$`), effect: 'served', isRare: true },
  { path: /^orders\/stock\/kept\/[^/]+\.jsonl$/, effect: 'served', isRare: true },
  {
    path: /^webhooks\/pending\/[^/]+\.jsonl$/,
    effect: 'served',
    loses: /^delivery /,
    isRare: true,
  },
  {
    path: RegExp(`^webhooks/delivered/${day}/[^/]+\\.jsonl$`),
    effect: 'served',
    loses: /^delivery /,
  },
  { path: RegExp(`^webhooks/events/stored/${day}/[^/]+\\.jsonl$`), effect: 'served', isRare: true },
  { path: /^webhooks\/receivers\/kept\/[^/]+\.jsonl$/, effect: 'served', isRare: true },
  {
    path: RegExp(`^webhooks/dropped/${day}/[^/]+\\.jsonl$`),
    effect: 'served',
    loses: /^delivery /,
  },
  {
    path: /^sandbox\/operations\/kept\/[^/]+\.jsonl$/,
    effect: 'served',
    loses: /^(operation|refund) /,
  },
  {
    path: /^sandbox\/sessions\/kept\/[^/]+\.jsonl$/,
    effect: 'served',
    loses: /^cashier /,
    endsSessions: true,
  },
  { path: /^sandbox\/(sign-ins|idempotency-keys)\/kept\/[^/]+\.jsonl$/, effect: 'served' },
  { path: /^audit\/\d+\/audit\.\d+\.jsonl$/, effect: 'served' },
  { path: /^audit\/\d+\/audit\.durable\.json$/, effect: 'harmless' },
  { path: /^audit\/\d+\/closed\.json$/, effect: 'harmless', isRare: true },
  // Owners of work, and files that are being written. They exist only while their process is running.
  { path: /^payments\/watcher\.json$/, effect: 'harmless' },
  { path: /\/(owners|tmp)\/[^/]+$/, effect: 'harmless' },
  { path: /\/claimed\/[^/]+\/[^/]+\.jsonl$/, effect: 'served', loses: /./, isRare: true },
];
