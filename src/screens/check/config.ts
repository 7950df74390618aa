import { resolve } from 'node:path';
import { AppError } from '../../base/errors.js';
import { readInputFile, readOptionalFile } from '../../base/files/input-file.js';
import { writeOutputFile } from '../../base/files/output-file.js';
import { isObject, pointer } from '../../json/pointers.js';
import type { Suppression } from '../findings/accepted.js';
import type { Severity } from '../findings/finding.js';
import { allRules } from '../rules/all-rules.js';
import { didYouMean, quote } from '../text/quote.js';
import { contractRules } from './contract-rules.js';

/** The content of `.msgsite-screens.json`. */
export interface ScreensConfig {
  readonly severities: Readonly<Record<string, Severity | 'off'>>;
  readonly ignore: readonly Suppression[];
  readonly baseline: readonly Suppression[];
}

interface ConfigFault {
  /** JSON Pointer. */
  readonly path: string;
  readonly message: string;
}

/** Maximum number of reported faults in a configuration. */
const maxFaults = 100;

const levels = ['off', 'info', 'warning', 'error'] as const;

/** Validates a parsed configuration. Throws one `configuration` error with all faults. */
function readConfig(value: unknown, file: string): ScreensConfig {
  const faults: ConfigFault[] = [];
  const fault: Fault = (path, message) => faults.push({ path, message });
  const config = readRoot(value, fault);
  if (faults.length === 0) return config;
  const more = faults.length - maxFaults;
  const rest = more > 0 ? [{ path: '', message: `and ${more} more` }] : [];
  throw new AppError('configuration', `${file} is invalid.`, {
    details: [...faults.slice(0, maxFaults), ...rest],
    hint: 'docs/screens/validate-screen.md describes the format.',
  });
}

function readRoot(value: unknown, fault: Fault): ScreensConfig {
  if (!isObject(value)) fault('', 'The configuration must be an object.');
  const { rules = {}, ignore = [], baseline = [], ...others } = isObject(value) ? value : {};
  for (const name of Object.keys(others)) {
    if (name === '$schema') continue;
    fault(pointer(name), `Unknown property.${didYouMean(name, ['rules', 'ignore', 'baseline'])}`);
  }
  return {
    severities: readSeverities(rules, fault),
    ignore: readSuppressions(ignore, '/ignore', fault),
    baseline: readSuppressions(baseline, '/baseline', fault),
  };
}

type Fault = (path: string, message: string) => void;

function readSeverities(rules: unknown, fault: Fault): ScreensConfig['severities'] {
  if (!isObject(rules)) {
    fault('/rules', 'rules must be an object that maps rule IDs to severities.');
    return {};
  }
  const severities: [string, Severity | 'off'][] = [];
  for (const [id, value] of Object.entries(rules)) {
    const level = levels.find((name) => name === value);
    const problem = ruleProblem(id);
    if (problem) fault(pointer('rules', id), problem);
    else if (level === undefined)
      fault(pointer('rules', id), `A severity must be one of ${levels.join(', ')}.`);
    else severities.push([id, level]);
  }
  return Object.fromEntries(severities);
}

function readSuppressions(value: unknown, path: string, fault: Fault): readonly Suppression[] {
  if (!Array.isArray(value)) {
    fault(path, 'This must be a list of objects with a rule and, optionally, a file and a path.');
    return [];
  }
  return value.flatMap((entry: unknown, index) => {
    const at = `${path}/${index}`;
    if (!isObject(entry) || typeof entry.rule !== 'string') {
      fault(at, 'An entry must be an object with a rule.');
      return [];
    }
    const problem = ruleProblem(entry.rule);
    if (problem) fault(`${at}/rule`, problem);
    return [readEntry(entry, entry.rule, at, fault)];
  });
}

/** Text properties of an entry. Others are ignored, so that people can add notes. */
const entryTexts = ['file', 'path', 'at', 'text'] as const;

function readEntry(
  entry: Readonly<Record<string, unknown>>,
  rule: string,
  entryPath: string,
  fault: Fault,
): Suppression {
  const texts = entryTexts.flatMap((name) => {
    const value = entry[name];
    if (value === undefined) return [];
    if (typeof value === 'string') return [[name, value] as const];
    fault(`${entryPath}/${name}`, `${name} must be a string.`);
    return [];
  });
  const { count } = entry;
  const isCount = Number.isSafeInteger(count) && Number(count) > 0;
  if (count !== undefined && !isCount)
    fault(`${entryPath}/count`, 'count must be a positive whole number.');
  const counted = isCount ? { count: Number(count) } : {};
  const read: Suppression = { rule, ...Object.fromEntries(texts), ...counted };
  if (read.file === '') fault(`${entryPath}/file`, 'file is empty. Omit it to match every file.');
  if (read.path !== undefined && read.path !== '' && !read.path.startsWith('/')) {
    fault(`${entryPath}/path`, 'path must be a JSON Pointer, which begins with a slash.');
  }
  if (read.path !== undefined && read.at !== undefined) {
    fault(
      entryPath,
      'An entry cannot have both path (a JSON Pointer) and at (written by --write-baseline).',
    );
  }
  return read;
}

/** Returns why a rule cannot be configured, or an empty string. */
function ruleProblem(id: string): string {
  if (allRules.some((rule) => rule.id === id)) return '';
  if (contractRules.some((rule) => rule.id === id)) {
    return `"${id}" is a contract rule. It is always an error and cannot be changed.`;
  }
  const ids = allRules.map((rule) => rule.id);
  return `Unknown rule ${quote(id)}.${didYouMean(id, ids)}`;
}

export const configName = '.msgsite-screens.json';

/** A configuration and its file. `raw` is the whole content, which --write-baseline preserves. */
export interface LoadedConfig {
  readonly file: string;
  readonly config: ScreensConfig;
  readonly raw: Readonly<Record<string, unknown>>;
}

/** Reads the named configuration, or the one in the working directory if it exists. */
export async function loadConfig(cwd: string, named?: string): Promise<LoadedConfig | undefined> {
  const file = resolve(cwd, named ?? configName);
  const text = readText(file, named !== undefined);
  if (text === undefined) return undefined;
  const raw = parse(text, file);
  return { file, config: readConfig(raw, file), raw };
}

/** Returns the text of a file, or undefined if it is optional and missing. */
function readText(file: string, required: boolean): string | undefined {
  const options = { name: `The configuration ${file}` };
  const bytes = required ? readInputFile(file, options) : readOptionalFile(file, options);
  return bytes?.toString('utf8');
}

function parse(text: string, file: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>; // readConfig rejects anything else
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new AppError('configuration', `${file} is not valid JSON: ${quote(reason, 200)}.`, {
      cause,
    });
  }
}

/** Writes the baseline to the configuration file and preserves the rest of it. Returns the file's path. */
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
