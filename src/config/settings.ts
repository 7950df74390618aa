import * as read from './readers.js';

/** One thing an operator can set: by flag where it has one, else by its environment variable. */
export interface Setting<Value = unknown> {
  readonly flag?: { readonly flags: string; readonly description: string };
  readonly variable: string;
  /** As text, read like any other; undefined = the setting may be absent. */
  readonly default?: string;
  /** Secrets never come from a flag; `<variable>_FILE` may name a file that holds the value. */
  readonly secret?: boolean;
  read(text: string, cwd: string): Value;
}

function setting<Value>(definition: Setting<Value>): Setting<Value> {
  return definition;
}

/** Every setting of the program. The documentation's tables and the flags' help come from here. */
export const settings = {
  port: setting({
    flag: {
      flags: '-p, --port <number>',
      description: 'port of the site (default 3000, 0 = any free)',
    },
    variable: 'MSGSITE_PORT',
    default: '3000',
    read: read.port,
  }),
  gatewayPort: setting({
    flag: {
      flags: '--gateway-port <number>',
      description:
        'port of the payment gateway (default 3001); the same as --port = one listener for both',
    },
    variable: 'MSGSITE_GATEWAY_PORT',
    default: '3001',
    read: read.port,
  }),
  host: setting({
    flag: { flags: '--host <address>', description: 'address to listen on (default 127.0.0.1)' },
    variable: 'MSGSITE_HOST',
    default: '127.0.0.1',
    read: read.hostName,
  }),
  data: setting({
    flag: { flags: '-d, --data <folder>', description: 'folder of the data (default ./data)' },
    variable: 'MSGSITE_DATA',
    default: './data',
    read: read.path,
  }),
  database: setting({
    flag: {
      flags: '--database <address>',
      description: 'PostgreSQL database instead of JSON files (default none)',
    },
    variable: 'MSGSITE_DATABASE',
    read: read.databaseAddress,
  }),
  provider: setting({
    flag: {
      flags: '--provider <provider>',
      description: 'payment provider: sandbox, an http(s) address or a module (default sandbox)',
    },
    variable: 'MSGSITE_PROVIDER',
    default: 'sandbox',
    read: read.provider,
  }),
  webhooks: setting({
    flag: {
      flags: '--webhooks <file>',
      description: 'webhook subscriptions (default ./webhooks.json)',
    },
    variable: 'MSGSITE_WEBHOOKS',
    default: './webhooks.json',
    read: read.path,
  }),
  publicUrl: setting({
    flag: {
      flags: '--public-url <address>',
      description: 'address that clients reach the site at (default: the address listened on)',
    },
    variable: 'MSGSITE_PUBLIC_URL',
    read: read.webAddress,
  }),
  jwtSecret: setting({ variable: 'MSGSITE_JWT_SECRET', secret: true, read: read.secret }),
  gatewayKey: setting({ variable: 'MSGSITE_GATEWAY_KEY', secret: true, read: read.secret }),
  adminToken: setting({ variable: 'MSGSITE_ADMIN_TOKEN', secret: true, read: read.adminToken }),
  encryptionSecret: setting({
    variable: 'MSGSITE_ENCRYPTION_SECRET',
    secret: true,
    read: read.secret,
  }),
  hosts: setting({ variable: 'MSGSITE_HOSTS', default: '', read: read.list }),
  trustedProxies: setting({
    variable: 'MSGSITE_TRUSTED_PROXIES',
    default: '',
    read: read.proxyRanges,
  }),
  corsOrigins: setting({ variable: 'MSGSITE_CORS_ORIGINS', default: '', read: read.origins }),
  rateLimit: setting({ variable: 'MSGSITE_RATE_LIMIT', default: 'on', read: read.onOff }),
  tokenTtl: setting({ variable: 'MSGSITE_TOKEN_TTL', default: '7d', read: read.duration }),
  bcryptCost: setting({
    variable: 'MSGSITE_BCRYPT_COST',
    default: '10',
    read: read.integer({ from: 4, to: 16 }),
  }),
  pollInterval: setting({
    variable: 'MSGSITE_POLL_INTERVAL',
    default: '3',
    read: read.seconds({ above: 0, upTo: 3_600 }),
  }),
  providerZone: setting({
    variable: 'MSGSITE_PROVIDER_ZONE',
    default: 'Asia/Almaty',
    read: read.timeZone,
  }),
  qrFailedStatuses: setting({
    variable: 'MSGSITE_QR_FAILED_STATUSES',
    default: '',
    read: read.list,
  }),
  webhookDelays: setting({
    variable: 'MSGSITE_WEBHOOK_DELAYS',
    default: '0,5,30',
    read: read.pauses,
  }),
  webhookTimeout: setting({
    variable: 'MSGSITE_WEBHOOK_TIMEOUT',
    default: '10',
    read: read.seconds({ above: 0, upTo: 600 }),
  }),
  webhookPrivate: setting({
    variable: 'MSGSITE_WEBHOOK_PRIVATE',
    default: 'allow',
    read: read.oneOf('allow', 'deny'),
  }),
  webhookRetention: setting({
    variable: 'MSGSITE_WEBHOOK_RETENTION',
    default: '30d',
    read: read.duration,
  }),
  webhookDroppedRetention: setting({
    variable: 'MSGSITE_WEBHOOK_DROPPED_RETENTION',
    default: '365d',
    read: read.retention({ atLeast: '1s' }),
  }),
  paymentRetention: setting({
    variable: 'MSGSITE_PAYMENT_RETENTION',
    default: '400d',
    // Longer than an Idempotency-Key counts: a payment that is asked for again must still be known.
    read: read.retention({ atLeast: '2d' }),
  }),
  sandboxSpeed: setting({
    variable: 'MSGSITE_SANDBOX_SPEED',
    default: '1',
    read: read.number({ from: 0.001, to: 1_000_000 }),
  }),
  logLevel: setting({
    variable: 'MSGSITE_LOG_LEVEL',
    default: 'info',
    read: read.oneOf('debug', 'info', 'warn', 'error', 'silent'),
  }),
} as const;

export type SettingName = keyof typeof settings;
