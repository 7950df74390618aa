import { resolve } from 'node:path';
import { AppError } from '../../base/errors.js';
import { readInputFile, readOptionalFile } from '../../base/files/input-file.js';
import { writeOutputFile } from '../../base/files/output-file.js';
import { quote } from '../text/quote.js';
import type { Suppression } from './accepted.js';
import { readConfig, type ScreensConfig } from './config.js';

export const configName = '.msgsite-screens.json';

/** A configuration and where it came from; `raw` keeps what a rewrite must not lose. */
export interface LoadedConfig {
  readonly file: string;
  readonly config: ScreensConfig;
  readonly raw: Readonly<Record<string, unknown>>;
}

/** Reads the configuration: the file that is named, else the one of the working directory if any. */
export async function loadConfig(cwd: string, named?: string): Promise<LoadedConfig | undefined> {
  const file = resolve(cwd, named ?? configName);
  const text = readIfThere(file, named !== undefined);
  if (text === undefined) return undefined;
  const raw = parse(text, file);
  return { file, config: readConfig(raw, file), raw };
}

/** The text of a file, or undefined where it need not exist and does not. */
function readIfThere(file: string, required: boolean): string | undefined {
  const options = { name: `The configuration ${file}` };
  const bytes = required ? readInputFile(file, options) : readOptionalFile(file, options);
  return bytes?.toString('utf8');
}

function parse(text: string, file: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>; // readConfig refuses anything else
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new AppError('configuration', `${file} is not JSON: ${quote(reason, 200)}.`, { cause });
  }
}

/** Writes the baseline into the configuration, keeping everything else in it. */
export async function writeBaseline(
  cwd: string,
  loaded: LoadedConfig | undefined,
  baseline: readonly Suppression[],
  named?: string,
): Promise<string> {
  const file = loaded?.file ?? resolve(cwd, named ?? configName);
  const text = `${JSON.stringify({ ...loaded?.raw, baseline }, null, 2)}\n`;
  await writeOutputFile(file, text);
  return file;
}
