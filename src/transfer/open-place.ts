import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Clock } from '../base/clock.js';
import { AppError } from '../base/errors.js';
import type { Config } from '../config/config.js';
import { databaseAddress } from '../config/readers.js';
import { describeAddress } from '../storage/postgres/migrations.js';
import { openFolderSource, openFolderTarget } from './folder-place.js';
import type { Source, Target } from './place.js';

/** A storage by its address: a database, or a folder of JSON files. */
export type Address =
  | { readonly storage: 'postgres'; readonly url: string; readonly name: string }
  | { readonly storage: 'json'; readonly folder: string; readonly name: string };

export interface OpenOptions {
  /** What is done, for those who find the storage in use: `msgsite data move`. */
  readonly command: string;
  readonly clock: Clock;
  readonly config: Config;
}

/** The storage that `serve` would work on with these settings. */
export function configuredAddress({ database, data }: Config): Address {
  return database === undefined ? folderAddress(data) : databaseAt(database);
}

/** Reads `postgres://…`, `file:///…` or a path. */
export function readAddress(text: string, cwd: string): Address {
  if (/^postgres(ql)?:/.test(text)) return databaseAt(databaseAddress(text, cwd));
  if (/^file:/.test(text)) {
    if (!URL.canParse(text)) throw unknownAddress();
    return folderAddress(fileURLToPath(text));
  }
  if (text === '' || /^[a-z][\w+.-]+:/i.test(text)) throw unknownAddress();
  return folderAddress(resolve(cwd, text));
}

function databaseAt(url: string): Address {
  return { storage: 'postgres', url, name: describeAddress(url) };
}

function folderAddress(folder: string): Address {
  return { storage: 'json', folder, name: folder };
}

function unknownAddress(): AppError {
  return new AppError('usage', '--to takes postgres://…, file:///… or the path of a folder.');
}

/** Opens a storage for reading. `alone`: nobody may work on it meanwhile, which files always ask for. */
export async function openSource(
  address: Address,
  { command, clock, config, alone }: OpenOptions & { readonly alone: boolean },
): Promise<Source> {
  const { jwtSecret, gatewayKey, encryptionSecret } = config;
  if (address.storage === 'json') {
    const given = { jwtSecret, gatewayKey, encryptionSecret };
    const secrets = Object.fromEntries(
      Object.entries(given).filter(([, value]) => value !== undefined),
    );
    return openFolderSource({ folder: address.folder, command, clock, secrets });
  }
  // What works on a database is loaded only where there is one.
  const { openDatabaseSource } = await import('./database-place.js');
  return openDatabaseSource({ url: address.url, data: config.data, command, alone });
}

/** Opens a storage to be filled. `from` is where its data comes from, for people. */
export async function openTarget(
  address: Address,
  options: OpenOptions & { readonly from: string; readonly source?: Address },
): Promise<Target> {
  const { command, clock, config, from, source } = options;
  // The sandbox keeps its state in a data folder, whichever storage is used: it may be there already.
  const before = source && (source.storage === 'json' ? source.folder : config.data);
  const after = address.storage === 'json' ? address.folder : config.data;
  const sandbox = before !== after;
  if (address.storage === 'json') {
    return openFolderTarget({ folder: address.folder, command, clock, from, sandbox });
  }
  const { openDatabaseTarget } = await import('./database-place.js');
  return openDatabaseTarget({ url: address.url, data: config.data, command, from, sandbox });
}
