import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { AppError, systemErrorCode } from '../errors.js';
import type { ScreensConfig, Suppression } from './config.js';

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
  const text = await readIfThere(file, named !== undefined);
  if (text === undefined) return undefined;
  const { readConfig } = await import('./config.js');
  const raw = parse(text, file);
  const result = readConfig(raw);
  if ('config' in result) return { file, config: result.config, raw };
  throw new AppError('configuration', `${file} cannot be used.`, {
    details: result.faults,
    hint: 'See docs/validate-screen.md for what it may hold.',
  });
}

async function readIfThere(file: string, required: boolean): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    if (!required && systemErrorCode(cause) === 'ENOENT') return undefined;
    throw new AppError('unreadable_input', `The configuration ${file} cannot be read.`, {
      hint: 'Check the name, and that this user may read it.',
      cause,
    });
  }
}

function parse(text: string, file: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>; // readConfig refuses anything else
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new AppError('configuration', `${file} is not JSON: ${reason}.`, { cause });
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
  const { writeOutputFile } = await import('../output-file.js');
  const text = `${JSON.stringify({ ...loaded?.raw, baseline }, null, 2)}\n`;
  await writeOutputFile(file, text);
  return file;
}
