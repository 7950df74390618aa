import type { GatewayStores } from './backend.js';
import type { Clock } from './clock.js';
import type { Logger } from './log.js';

export interface GatewayStorageOptions {
  /** Address of the database; JSON files in the data folder where absent. */
  readonly database: string | undefined;
  readonly clock: Clock;
  readonly log: Logger;
  /** Who works here, for people who look into the database: `pay`, `webhooks replay`. */
  readonly label: string;
  /** Where it is given, it must be the one that every process of the database uses. */
  readonly gatewayKey?: string;
}

/** What payments and webhooks are kept in, for a command that may run beside any number of `serve`. */
export interface GatewayStorage {
  /** The time that counts for what is stored. */
  readonly clock: Clock;
  /** Absent where payments and webhooks keep their own files in the data folder. */
  readonly stores?: GatewayStores;
  /** Gives back every claim and lets go of the database. */
  close(): Promise<void>;
}

/**
 * Opens the storage that a `serve` with the same settings works on. A database must have its structure
 * already: a command changes none, and refuses one that is older or newer.
 */
export async function openGatewayStorage(options: GatewayStorageOptions): Promise<GatewayStorage> {
  const { database, clock } = options;
  if (database === undefined) return { clock, async close() {} };
  // What works on a database is loaded only where there is one.
  const { openPostgresGatewayStorage } = await import('./gateway-storage-postgres.js');
  return openPostgresGatewayStorage(database, options);
}
