import type { GatewayStorage, GatewayStorageOptions } from './backend.js';

/**
 * Opens the storage that a `serve` with the same settings works on. A database must have its structure
 * already: a command changes none, and refuses one that is older or newer.
 */
export async function openGatewayStorage(options: GatewayStorageOptions): Promise<GatewayStorage> {
  const { database, clock } = options;
  if (database === undefined) return { clock, async close() {} };
  // What works on a database is loaded only where there is one.
  const { openPostgresGatewayStorage } = await import('./postgres-gateway-storage.js');
  return openPostgresGatewayStorage(database, options);
}
