import { isObject, parsePointer, valueAt } from '../../json/pointers.js';

/** An entry that accepts findings. Without `file`, it applies to every file. */
export interface Suppression {
  readonly rule: string;
  /** JSON Pointer. It includes everything below it. Without `path` and `at`, the entry applies to the whole file. */
  readonly path?: string;
  /** Path relative to the folder of the configuration, with forward slashes, or a glob. */
  readonly file?: string;
  /** The location and text of an `Identity`, instead of a path. */
  readonly at?: string;
  readonly text?: string;
  /** Number of accepted findings with this identity. The default is 1. */
  readonly count?: number;
}

/** Accepted findings, indexed by key. */
export interface AcceptedFindings {
  /** Keys of the entries without an identity. */
  readonly paths: ReadonlySet<string>;
  /** Number of accepted findings by identity key. */
  readonly counts: ReadonlyMap<string, number>;
  /** Additional names of files in entries, including globs, by the names of the files in reports. */
  readonly names: ReadonlyMap<string, readonly string[]>;
}

/** Indexes entries for a run. The result can be sent to other threads. */
export function acceptFindings(
  entries: readonly Suppression[],
  names: AcceptedFindings['names'] = new Map(),
): AcceptedFindings {
  const paths = new Set<string>();
  const counts = new Map<string, number>();
  for (const entry of entries) {
    const key = entryKey(entry);
    if (entry.at === undefined) paths.add(key);
    else counts.set(key, (counts.get(key) ?? 0) + (entry.count ?? 1));
  }
  return { paths, counts, names };
}

/** Returns the key of an entry, as in `FileAcceptance.used`. */
export function entryKey({ rule, file, path, at, text }: Suppression): string {
  return at === undefined ? pathKey(rule, file, path) : identityKey(rule, file, { at, text });
}

/** A problem that may be accepted. */
export interface Candidate {
  readonly rule: string;
  readonly path: string;
  readonly atKey?: boolean;
  /** Returns the location that replaces the one in the problem's identity, if any. */
  readonly about?: (() => string | undefined) | undefined;
}

/** The accepted findings of one file. */
export interface FileAcceptance {
  /** Returns true if an entry accepts a finding by its path, a path above it or its identity, and counts the match. */
  accepts(candidate: Candidate): boolean;
  /** Number of matches by entry key. */
  readonly used: ReadonlyMap<string, number>;
}

/** Opens the accepted findings of a file. Returns undefined if there are none. */
export function openAcceptance(
  accepted: AcceptedFindings | undefined,
  file: string,
  data: unknown,
): FileAcceptance | undefined {
  if (!accepted || accepted.paths.size + accepted.counts.size === 0) return undefined;
  const { paths, counts } = accepted;
  const files = [file, ...(accepted.names.get(file) ?? []), undefined];
  const used = new Map<string, number>();
  const use = (key: string): true => {
    used.set(key, (used.get(key) ?? 0) + 1);
    return true;
  };
  return {
    used,
    accepts({ rule, path, atKey, about }) {
      let identity: Identity | undefined;
      for (const name of files) {
        if (counts.size > 0) {
          identity ??= identityOf(data, { path, atKey, about: about?.() });
          const key = identityKey(rule, name, identity);
          if ((used.get(key) ?? 0) < (counts.get(key) ?? 0)) return use(key);
        }
        const key = paths.size > 0 ? acceptedPath(paths, rule, name, path) : undefined;
        if (key !== undefined) return use(key);
      }
      return false;
    },
  };
}

/** Returns the key of the innermost accepted path that contains a path. */
function acceptedPath(
  paths: ReadonlySet<string>,
  rule: string,
  file: string | undefined,
  path: string,
): string | undefined {
  for (let end = path.length; end >= 0; end = end === 0 ? -1 : path.lastIndexOf('/', end - 1)) {
    const key = pathKey(rule, file, path.slice(0, end));
    if (paths.has(key)) return key;
  }
  const anywhere = pathKey(rule, file, undefined);
  return paths.has(anywhere) ? anywhere : undefined;
}

/** Joins the parts with NUL, which file names cannot contain. */
function fileKey(rule: string, file: string | undefined): string {
  return `${rule}\0${file ?? '*\0'}`;
}

function pathKey(rule: string, file: string | undefined, path: string | undefined): string {
  return `${fileKey(rule, file)}\0${path ?? '*'}`;
}

function identityKey(
  rule: string,
  file: string | undefined,
  { at, text }: { readonly at: string; readonly text?: string | undefined },
): string {
  return `${fileKey(rule, file)}\0=${at}\0${text ?? '\0'}`;
}

/** Identifies a finding even after rows are inserted above it or the file is reformatted. */
export interface Identity {
  /** The location, with list items identified by name: `/table/rows/[DG-2041]/state`. */
  readonly at: string;
  /** The reported text, or its beginning and a checksum. Undefined for a list or an object. */
  readonly text?: string;
}

/** The parts of a problem that its identity depends on. */
interface Problem {
  /** JSON Pointer. */
  readonly path: string;
  /** True if the problem is the name, not the value. */
  readonly atKey?: boolean | undefined;
  /** Replaces the location if the problem is not specific to the item at the path. */
  readonly about?: string | undefined;
}

/** Returns the identity of a problem in a parsed document. */
export function identityOf(data: unknown, { path, atKey, about }: Problem): Identity {
  const steps = parsePointer(path);
  const text = atKey ? undefined : shorten(valueAt(data, steps));
  return { at: about ?? locationOf(data, steps), ...(text === undefined ? {} : { text }) };
}

function locationOf(root: unknown, steps: readonly string[]): string {
  let location = '';
  let value = root;
  for (const [index, step] of steps.entries()) {
    const isItem = Array.isArray(value);
    value = valueAt(value, [step]);
    const isRow = isItem && index === 2 && steps[0] === 'table' && steps[1] === 'rows';
    const name = isItem ? nameIn(value, isRow ? [...rowNames(root), ...names] : names) : undefined;
    location += `/${isItem ? `[${name ?? `#${step}`}]` : step}`;
  }
  return location;
}

/** Properties that name an item, in order of preference. */
const names = ['id', 'key', 'label', 'title', 'name', 'heading', 'headline', 'text'];

/** Returns the fields that name a row: its id, the drawer's title field, or the first column. */
function rowNames(root: unknown): readonly string[] {
  const title = valueAt(root, ['drawer', 'titleKey']);
  const first = valueAt(root, ['table', 'columns', '0', 'key']);
  return ['id', title, first].filter((key) => typeof key === 'string');
}

/** Returns the name of an item. Items that are texts, numbers or pairs of numbers are their own names. */
function nameIn(item: unknown, keys: readonly string[]): string | undefined {
  if (Array.isArray(item)) {
    const isPair = item.length === 2 && item.every((each) => typeof each === 'number');
    return isPair ? item.join('-') : undefined;
  }
  if (!isObject(item)) return shorten(item);
  for (const key of keys) {
    const value = valueAt(item, [key]);
    const isName = typeof value === 'number' || (typeof value === 'string' && value !== '');
    if (isName) return shorten(value);
  }
  return undefined;
}

/** Maximum length of a text in an identity, in characters. A longer text is cut and followed by a checksum. */
const longest = 60;

function shorten(value: unknown): string | undefined {
  if (value === undefined || (typeof value === 'object' && value !== null)) return undefined;
  const text = String(value);
  return text.length <= longest ? text : `${text.slice(0, longest)}… ${checksum(text)}`;
}

/** Returns the 32-bit FNV-1a hash of the UTF-16 units, as 8 hexadecimal digits. */
function checksum(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, '0');
}
