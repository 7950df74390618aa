import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeDatabaseAddress } from '../base/database-address.js';
import { AppError } from '../base/errors.js';
import type { Config } from '../config/config.js';
import { databaseAddress } from '../config/readers.js';
import { findSecrets } from '../storage/json/data-folder/secrets.js';
import { fingerprintOf } from '../storage/postgres/secret-check.js';
import { folderSource, folderTarget } from '../transfer/folder-place.js';
import type { Source, Target } from '../transfer/place.js';
import type { SecretName } from '../transfer/summary.js';
import { type DataFolder, type Opener, openDataFolder } from './data-folder.js';
import { folderRecords, sandboxRecords } from './data-records.js';
import { readDatabaseSchema } from './database-schema.js';

/** The address of a storage: a database, or a folder of JSON files. */
export type Address =
  | DatabaseAddress
  | { readonly storage: 'json'; readonly folder: string; readonly name: string };

interface DatabaseAddress {
  readonly storage: 'postgres';
  readonly url: string;
  readonly name: string;
}

export interface OpenOptions extends Opener {
  readonly config: Config;
}

/** Returns the storage that `serve` would use with these settings. */
export function configuredAddress({ database, data }: Config): Address {
  return database === undefined ? folderAddress(data) : databaseAddressOf(database);
}

/** Parses `postgres://…`, `file:///…` or a path. */
export function readAddress(text: string, cwd: string): Address {
  if (/^postgres(ql)?:/.test(text)) return databaseAddressOf(databaseAddress(text, cwd));
  if (/^file:/.test(text)) {
    if (!URL.canParse(text)) throw unknownAddress();
    return folderAddress(fileURLToPath(text));
  }
  if (text === '' || /^[a-z][\w+.-]+:/i.test(text)) throw unknownAddress();
  return folderAddress(resolve(cwd, text));
}

function databaseAddressOf(url: string): Address {
  return { storage: 'postgres', url, name: describeDatabaseAddress(url) };
}

function folderAddress(folder: string): Address {
  return { storage: 'json', folder, name: folder };
}

function unknownAddress(): AppError {
  return new AppError('usage', '--to must be postgres://…, file:///… or the path of a folder.');
}

/**
 * Opens a storage for reading. With `alone`, no other process may use it in the meantime. Files always require that.
 */
export async function openSource(
  address: Address,
  options: OpenOptions & { readonly alone: boolean },
): Promise<Source> {
  const { config } = options;
  if (address.storage === 'postgres') {
    await openDataFolder(config.data, 'read alongside', options);
    const { openDatabaseSource } = await import('./postgres.js');
    return openDatabaseSource({ ...options, ...(await databaseAt(address, options)) });
  }
  const { folder } = address;
  const opened = await openDataFolder(folder, 'export', options);
  return closingOnFailure(opened, async () => {
    const records = folderRecords(folder);
    const secrets = await secretsOf(config, folder);
    return folderSource({ ...options, ...opened, folder, records }, secrets);
  });
}

/** Opens a storage that will be filled. `from` names the origin of the data in messages. */
export async function openTarget(
  address: Address,
  options: OpenOptions & { readonly from: string; readonly source?: Address },
): Promise<Target> {
  const { config, from, source } = options;
  // The sandbox's state is always stored in a data folder, so it may already be there.
  const before = source && (source.storage === 'json' ? source.folder : config.data);
  const after = address.storage === 'json' ? address.folder : config.data;
  const fillFiles = before !== after;
  if (address.storage === 'postgres') {
    await openDataFolder(config.data, 'alongside', options);
    const { openDatabaseTarget } = await import('./postgres.js');
    return openDatabaseTarget({ from, fillFiles, ...(await databaseAt(address, options)) });
  }
  const { folder } = address;
  const opened = await openDataFolder(folder, 'import', options);
  const records = folderRecords(folder);
  const filled = folderRecords(folder, fillFiles);
  return closingOnFailure(opened, () =>
    folderTarget({ ...options, ...opened, folder, records }, { from, missing: filled }),
  );
}

/** Returns options for a database. The code for databases is loaded only here. */
async function databaseAt({ url }: DatabaseAddress, { config, label }: OpenOptions) {
  const { databaseRecords: tables } = await import('./postgres.js');
  const schema = await readDatabaseSchema();
  return { url, schema, command: `msgsite ${label}`, tables, files: sandboxRecords(config.data) };
}

async function closingOnFailure<Result>(
  { close }: DataFolder,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Returns fingerprints of the secrets in the settings or in a data folder. Of several gateway keys, only the first one
 * is included.
 */
export async function secretsOf(config: Config, folder: string): Promise<Source['secrets']> {
  const kept = await findSecrets(folder);
  const secrets: Record<SecretName, string | undefined> = {
    MSGSITE_JWT_SECRET: config.jwtSecret ?? kept.jwtSecret,
    MSGSITE_GATEWAY_KEY: (config.gatewayKey ?? kept.gatewayKey)?.split(',')[0]?.trim(),
    MSGSITE_ENCRYPTION_SECRET: config.encryptionSecret,
  };
  const known = Object.entries(secrets).flatMap(([name, secret]) =>
    secret === undefined ? [] : [[name, fingerprintOf(name, secret)] as const],
  );
  return Object.fromEntries(known);
}
