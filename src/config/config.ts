import type { Environment, EnvironmentFile } from '../base/environment.js';
import { AppError, type ErrorDetail } from '../base/errors.js';
import { readRegularFile, UnreadableInput } from '../base/files/input-file.js';
import { isProviderModule } from './readers.js';
import { type Setting, type SettingName, settings, variableOf } from './settings.js';

/** Every setting, read and checked. Lengths of time in milliseconds, life times in seconds. */
export type Config = { readonly [Name in SettingName]: ValueOf<(typeof settings)[Name]> };

type ValueOf<Given extends Setting> =
  | ReturnType<Given['read']>
  | (Given extends { readonly default: string } ? never : undefined);

export interface ConfigSources {
  /** Parsed flags by camel-cased name; what is not a setting is passed over. */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly env: Environment;
  /** The `.env` file that some variables have their values from. */
  readonly envFile?: EnvironmentFile | undefined;
  /** Relative paths start here. */
  readonly cwd: string;
}

/**
 * Flags over environment over defaults. Every fault is found before anything is reported: one
 * `configuration` error lists them all, each under its flag or variable (exit code 2).
 */
export function readConfig(sources: ConfigSources): Config {
  return readSettings(Object.keys(settings) as SettingName[], sources); // keys() forgets the names.
}

/** Some settings alone: whatever the others say counts for nothing. */
export function readSettings<Name extends SettingName>(
  names: readonly Name[],
  sources: ConfigSources,
): Pick<Config, Name> {
  const values: Record<string, unknown> = {};
  const details: ErrorDetail[] = [];
  for (const name of names) {
    const { source, text } = find(name, sources);
    try {
      const given = text();
      if (given === undefined) continue;
      values[name] = settings[name].read(given, sources.cwd);
      const { envFile } = sources;
      if (name === 'provider' && isProviderModule(given) && envFile?.names.has(source)) {
        throw new Error(
          `must not name code in ${envFile.path}, which whoever made the folder wrote: give the module by its flag or in the real environment`,
        );
      }
    } catch (fault) {
      const message = fault instanceof Error ? fault.message : String(fault);
      details.push({ path: source, message });
    }
  }
  if (details.length > 0) {
    throw new AppError('configuration', 'Some settings cannot be used.', {
      details,
      hint: 'See docs/start/configuration.md for every setting.',
    });
  }
  return values as Pick<Config, Name>; // Every name was read by its own reader just above.
}

/** The text of a setting, and the flag or variable that it comes from. */
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
  // A variable that is set to nothing counts as not set, as shells and container files make them.
  const given = env[variable] || undefined;
  if (given !== undefined || !setting.secret) {
    return { source: variable, text: () => given ?? setting.default };
  }
  const file = env[`${variable}_FILE`];
  return { source: `${variable}_FILE`, text: () => (file ? readSecretFile(file) : undefined) };
}

/** Bytes of a file that holds a secret: far more than any key has. */
const mostSecretBytes = 64 * 1024;

/** Secrets mounted as files, as container platforms hand them over; a line break at the end is dropped. */
function readSecretFile(file: string): string {
  let content: string;
  try {
    content = readRegularFile(file, mostSecretBytes).toString('utf8').trimEnd();
  } catch (cause) {
    const why = cause instanceof UnreadableInput ? `: ${cause.reason}` : '';
    throw new Error(`names ${file}, which cannot be read${why}`, { cause });
  }
  // Going on without would leave open what was meant to be guarded.
  if (content === '') throw new Error(`names ${file}, which is empty`);
  return content;
}

/**
 * Where people reach the site, by the settings alone: without a slash at its end. A command that runs beside a
 * server, or before one, knows no more.
 */
export function addressOfSite({
  publicUrl,
  host,
  port,
}: Pick<Config, 'publicUrl' | 'host' | 'port'>): string {
  if (publicUrl !== undefined) return publicUrl;
  const name = isAnywhere(host) ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** Addresses that stand for every one of this machine. */
function isAnywhere(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}
