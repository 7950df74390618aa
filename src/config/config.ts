import { writeHost } from '../base/database-address.js';
import type { Environment, EnvironmentFile } from '../base/environment.js';
import { AppError, type ErrorDetail } from '../base/errors.js';
import { readRegularFile, UnreadableInput } from '../base/files/input-file.js';
import { isProviderModule } from './readers.js';
import { type Setting, type SettingName, settings, variableOf } from './settings.js';

/** All settings, read and validated. Intervals and time-outs are in milliseconds. Lifetimes are in seconds. */
export type Config = { readonly [Name in SettingName]: ValueOf<(typeof settings)[Name]> };

type ValueOf<Of extends Setting> =
  | ReturnType<Of['read']>
  | (Of extends { readonly default: string } ? never : undefined);

export interface ConfigSources {
  /** Parsed flags by camelCase name. Flags that are not settings are ignored. */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly env: Environment;
  /** The `.env` file that has set some of the variables. */
  readonly envFile?: EnvironmentFile | undefined;
  /** The base folder of relative paths. */
  readonly cwd: string;
}

/**
 * Reads all settings. Flags override the environment, which overrides the defaults. Throws one `configuration` error
 * (exit code 2) that lists every invalid setting by its flag or variable.
 */
export function readConfig(sources: ConfigSources): Config {
  return readSettings(Object.keys(settings) as SettingName[], sources); // Object.keys() returns string[].
}

/** Reads only these settings. */
export function readSettings<Name extends SettingName>(
  names: readonly Name[],
  sources: ConfigSources,
): Pick<Config, Name> {
  const values: Record<string, unknown> = {};
  const details: ErrorDetail[] = [];
  for (const name of names) {
    const { source, text } = find(name, sources);
    try {
      const value = text();
      if (value === undefined) continue;
      values[name] = settings[name].read(value, sources.cwd);
      const { envFile } = sources;
      if (name === 'provider' && isProviderModule(value) && envFile?.names.has(source)) {
        throw new Error(
          `must not name a module in ${envFile.path}, because someone else may have written that file; use the flag or the environment of the process`,
        );
      }
    } catch (fault) {
      const message = fault instanceof Error ? fault.message : String(fault);
      details.push({ path: source, message });
    }
  }
  if (details.length > 0) {
    throw new AppError('configuration', 'Some settings are invalid.', {
      details,
      hint: 'See docs/start/configuration.md for every setting.',
    });
  }
  return values as Pick<Config, Name>; // Each value was returned by the reader of its setting.
}

/** Returns the text of a setting, and the flag or variable that provides it. */
function find(
  name: SettingName,
  { flags, env }: ConfigSources,
): { readonly source: string; text(): string | undefined } {
  const setting: Setting = settings[name];
  const flag = flags[name];
  if (setting.flag && typeof flag === 'string') {
    const dashed = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    return { source: `--${dashed}`, text: () => flag };
  }
  const variable = variableOf(name);
  // An empty variable is treated as unset, because shells and container files create them.
  const value = env[variable] || undefined;
  if (value !== undefined || !setting.secret) {
    return { source: variable, text: () => value ?? setting.default };
  }
  const file = env[`${variable}_FILE`];
  return { source: `${variable}_FILE`, text: () => (file ? readSecretFile(file) : undefined) };
}

/** Maximum size of a file with a secret, in bytes. */
const maxSecretBytes = 64 * 1024;

/** Reads a secret from a file, as container platforms provide it. A line break at the end is ignored. */
function readSecretFile(file: string): string {
  let content: string;
  try {
    content = readRegularFile(file, maxSecretBytes).toString('utf8').trimEnd();
  } catch (cause) {
    const why = cause instanceof UnreadableInput ? `: ${cause.reason}` : '';
    throw new Error(`names ${file}, which cannot be read${why}`, { cause });
  }
  // Without the secret, something that was meant to be protected would be open.
  if (content === '') throw new Error(`names ${file}, which is empty`);
  return content;
}

/**
 * Returns the site's address according to the settings, without a trailing slash. Commands use it because they cannot
 * determine the listener of a running server.
 */
export function addressOfSite({
  publicUrl,
  host,
  port,
}: Pick<Config, 'publicUrl' | 'host' | 'port'>): string {
  if (publicUrl !== undefined) return publicUrl;
  const isAnyAddress = host === '0.0.0.0' || host === '::';
  return `http://${writeHost(isAnyAddress ? 'localhost' : host, port)}`;
}
