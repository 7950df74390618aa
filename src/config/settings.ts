import * as read from './readers.js';

/** A setting for operators. It is set with its flag, if it has one, or its environment variable. */
export interface Setting {
  readonly flag?: { readonly flags: string; readonly description: string };
  /** The default as text. A setting without a default may be absent. */
  readonly default?: string;
  /** A secret has no flag. `<variable>_FILE` may name a file that contains the value. */
  readonly secret?: boolean;
  read(text: string, cwd: string): unknown;
}

/** All settings of the program. Flags, help and tables in the documentation are derived from them. */
export const settings = {
  port: {
    flag: {
      flags: '-p, --port <number>',
      description: 'port of the site (default 3000, 0 = any free)',
    },
    default: '3000',
    read: read.port,
  },
  gatewayPort: {
    flag: {
      flags: '--gateway-port <number>',
      description:
        'port of the payment gateway (default 3001); if it equals --port, one listener serves both',
    },
    default: '3001',
    read: read.port,
  },
  host: {
    flag: { flags: '--host <address>', description: 'address to listen on (default 127.0.0.1)' },
    default: '127.0.0.1',
    read: read.hostName,
  },
  metricsPort: {
    flag: {
      flags: '--metrics-port <number>',
      description: 'port of the metrics for Prometheus (default: none, 0 = any free)',
    },
    read: read.port,
  },
  metricsHost: {
    flag: {
      flags: '--metrics-host <address>',
      description: 'address to serve the metrics on (default 127.0.0.1)',
    },
    default: '127.0.0.1',
    read: read.hostName,
  },
  data: {
    flag: { flags: '-d, --data <folder>', description: 'data folder (default ./data)' },
    default: './data',
    read: read.path,
  },
  database: {
    flag: {
      flags: '--database <address>',
      description: 'PostgreSQL database instead of JSON files (default: none)',
    },
    read: read.databaseAddress,
  },
  provider: {
    flag: {
      flags: '--provider <provider>',
      description: 'payment provider: sandbox, an http(s) address or a module (default sandbox)',
    },
    default: 'sandbox',
    read: read.provider,
  },
  webhooks: {
    flag: {
      flags: '--webhooks <file>',
      description: 'file of webhook subscriptions (default ./webhooks.json)',
    },
    default: './webhooks.json',
    read: read.path,
  },
  gateway: {
    flag: {
      flags: '--gateway <address>',
      description:
        'remote gateway, such as https://pay.example.kz (default: use the data directly)',
    },
    read: read.gatewayAddress,
  },
  publicUrl: {
    flag: {
      flags: '--public-url <address>',
      description: 'address of the site for clients (default: the address of the listener)',
    },
    read: read.webAddress,
  },
  databasePipeline: { default: 'on', read: read.onOff },
  jwtSecret: { secret: true, read: read.secret },
  gatewayKey: { secret: true, read: read.secret },
  adminToken: { secret: true, read: read.adminToken },
  encryptionSecret: { secret: true, read: read.secret },
  hosts: { default: '', read: read.list },
  trustedProxies: { default: '', read: read.proxyRanges },
  corsOrigins: { default: '', read: read.origins },
  rateLimit: { default: 'on', read: read.onOff },
  tokenTtl: { default: '7d', read: read.duration },
  bcryptCost: { default: '10', read: read.integer({ from: 4, to: 16 }) },
  pollInterval: { default: '3', read: read.seconds({ above: 0, upTo: 3_600 }) },
  resolveInterval: { default: '30', read: read.seconds({ above: 0, upTo: 3_600 }) },
  providerTimeout: { default: '10', read: read.seconds({ above: 0, upTo: 600 }) },
  providerZone: { default: 'Asia/Almaty', read: read.timeZone },
  reconcileAt: { default: '04:00', read: read.timeOfDay },
  qrFailedStatuses: { default: '', read: read.list },
  statusMap: { read: read.path },
  webhookDelays: { default: '0,5,30', read: read.pauses },
  webhookTimeout: { default: '10', read: read.seconds({ above: 0, upTo: 600 }) },
  webhookPrivate: { default: 'allow', read: read.oneOf('allow', 'deny') },
  webhookRetention: { default: '30d', read: read.duration },
  webhookDroppedRetention: { default: '365d', read: read.retention({ atLeast: '1s' }) },
  // Longer than the validity of an Idempotency-Key, so that a repeated request still finds its payment.
  paymentRetention: { default: '400d', read: read.retention({ atLeast: '2d' }) },
  orderContactDays: { default: '90', read: read.integer({ from: 1, to: 3_650 }) },
  keepDeleted: { default: '30d', read: read.retention({ atLeast: '1s' }) },
  sandboxSpeed: { default: '1', read: read.number({ from: 0.001, to: 1_000_000 }) },
  sandboxFaults: { default: '', read: read.list },
  logLevel: { default: 'info', read: read.oneOf('debug', 'info', 'warn', 'error', 'silent') },
} as const satisfies Readonly<Record<string, Setting>>;

export type SettingName = keyof typeof settings;

/** Returns the environment variable of a setting: `MSGSITE_POLL_INTERVAL` for `pollInterval`. */
export function variableOf(name: SettingName): string {
  return `MSGSITE_${name.replace(/[A-Z]/g, '_$&').toUpperCase()}`;
}
