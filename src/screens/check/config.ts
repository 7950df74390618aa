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

/** What `.msgsite-screens.json` says. */
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

/** The most faults of a configuration that are reported: a file of another kind may have one on every line. */
const mostFaults = 100;

const levels = ['off', 'info', 'warning', 'error'] as const;

/** Checks a parsed configuration; `configuration` with every fault at once where there are any. */
function readConfig(value: unknown, file: string): ScreensConfig {
  const faults: ConfigFault[] = [];
  const fault: Fault = (path, message) => faults.push({ path, message });
  const config = readRoot(value, fault);
  if (faults.length === 0) return config;
  const more = faults.length - mostFaults;
  const rest = more > 0 ? [{ path: '', message: `And ${more} more faults.` }] : [];
  throw new AppError('configuration', `${file} cannot be used.`, {
    details: [...faults.slice(0, mostFaults), ...rest],
    hint: 'See docs/screens/validate-screen.md for what it may hold.',
  });
}

function readRoot(value: unknown, fault: Fault): ScreensConfig {
  if (!isObject(value)) fault('', 'The configuration is an object.');
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

function readSeverities(value: unknown, fault: Fault): ScreensConfig['severities'] {
  if (!isObject(value)) {
    fault('/rules', 'rules is an object of rule ids and severities.');
    return {};
  }
  const severities: [string, Severity | 'off'][] = [];
  for (const [id, wanted] of Object.entries(value)) {
    const level = levels.find((name) => name === wanted);
    const problem = ruleProblem(id);
    if (problem) fault(pointer('rules', id), problem);
    else if (level === undefined)
      fault(pointer('rules', id), `A severity is ${levels.join(', ')}.`);
    else severities.push([id, level]);
  }
  return Object.fromEntries(severities);
}

function readSuppressions(value: unknown, path: string, fault: Fault): readonly Suppression[] {
  if (!Array.isArray(value)) {
    fault(path, 'This is a list of {"rule", "file", "path"}.');
    return [];
  }
  return value.flatMap((entry: unknown, index) => {
    const at = `${path}/${index}`;
    if (!isObject(entry) || typeof entry.rule !== 'string') {
      fault(at, 'An entry is an object with at least a rule.');
      return [];
    }
    const problem = ruleProblem(entry.rule);
    if (problem) fault(`${at}/rule`, problem);
    return [readEntry(entry, entry.rule, at, fault)];
  });
}

/** The texts of an entry; other properties of it are notes of whoever wrote it. */
const entryTexts = ['file', 'path', 'at', 'text'] as const;

function readEntry(
  entry: Readonly<Record<string, unknown>>,
  rule: string,
  place: string,
  fault: Fault,
): Suppression {
  const texts = entryTexts.flatMap((name) => {
    const value = entry[name];
    if (value === undefined) return [];
    if (typeof value === 'string') return [[name, value] as const];
    fault(`${place}/${name}`, `${name} is a string.`);
    return [];
  });
  const { count } = entry;
  const isCount = Number.isSafeInteger(count) && Number(count) > 0;
  if (count !== undefined && !isCount)
    fault(`${place}/count`, 'count is a whole number from 1 up.');
  const counted = isCount ? { count: Number(count) } : {};
  const read: Suppression = { rule, ...Object.fromEntries(texts), ...counted };
  if (read.file === '') fault(`${place}/file`, 'file is empty; leave it out to mean every file.');
  if (read.path !== undefined && read.path !== '' && !read.path.startsWith('/')) {
    fault(`${place}/path`, 'path is a JSON Pointer and begins with a slash.');
  }
  if (read.path !== undefined && read.at !== undefined) {
    fault(place, 'An entry has either path (a JSON Pointer) or at (what --write-baseline wrote).');
  }
  return read;
}

/** Why a rule cannot be configured, or nothing. */
function ruleProblem(id: string): string {
  if (allRules.some((rule) => rule.id === id)) return '';
  if (contractRules.some((rule) => rule.id === id)) {
    return `"${id}" is a rule of the contract: it is always an error and cannot be changed.`;
  }
  const ids = allRules.map((rule) => rule.id);
  return `There is no rule ${quote(id)}.${didYouMean(id, ids)}`;
}

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
