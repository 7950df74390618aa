import { isObject, parsePointer, valueAt } from '../../json/pointers.js';

/** A finding that is known and accepted. Without a file it holds in every file. */
export interface Suppression {
  readonly rule: string;
  /** JSON Pointer; everything below it is meant too. Without one and without `at` it holds everywhere. */
  readonly path?: string;
  /** Relative to the folder of the configuration, with forward slashes; or a glob. */
  readonly file?: string;
  /** The place and text of an `Identity`, instead of a path: exactly such findings are meant. */
  readonly at?: string;
  readonly text?: string;
  /** So many findings of this identity; 1 where nothing is said. */
  readonly count?: number;
}

/** Accepted findings by keys, so that no finding is compared with every one of them. */
export interface AcceptedFindings {
  readonly places: ReadonlySet<string>;
  /** How many findings of each identity. */
  readonly counts: ReadonlyMap<string, number>;
  /** Rules and files that have identities: of other findings none is made. */
  readonly identified: ReadonlySet<string>;
  /** What a file is called in entries, where that is not as it is reported: its globs, too. */
  readonly names: ReadonlyMap<string, readonly string[]>;
}

/** Makes the keys, once for a run; they can be handed to other threads. */
export function acceptFindings(
  entries: readonly Suppression[],
  names: AcceptedFindings['names'] = new Map(),
): AcceptedFindings {
  const places = new Set<string>();
  const counts = new Map<string, number>();
  const identified = new Set<string>();
  for (const entry of entries) {
    const key = entryKey(entry);
    if (entry.at === undefined) places.add(key);
    else {
      counts.set(key, (counts.get(key) ?? 0) + (entry.count ?? 1));
      identified.add(fileKey(entry.rule, entry.file));
    }
  }
  return { places, counts, identified, names };
}

/** What an entry is known by, also in `used`. */
export function entryKey({ rule, file, path, at, text }: Suppression): string {
  return at === undefined ? placeKey(rule, file, path) : identityKey(rule, file, { at, text });
}

/** A problem that may be accepted. */
export interface Candidate {
  readonly rule: string;
  readonly path: string;
  readonly atKey?: boolean;
  /** Made only where there are identities to compare it with. */
  readonly about?: (() => string | undefined) | undefined;
}

/** The accepted findings of one file, which are used up one by one. */
export interface FileAcceptance {
  /** Whether a finding is accepted: by its place or one around it, or as one of those that are known. */
  accepts(candidate: Candidate): boolean;
  /** How often each entry was used, by key. */
  readonly used: ReadonlyMap<string, number>;
}

/** Opens the accepted findings of a file; undefined where nothing at all is accepted. */
export function openAcceptance(
  accepted: AcceptedFindings | undefined,
  file: string,
  data: unknown,
): FileAcceptance | undefined {
  if (!accepted || accepted.places.size + accepted.counts.size === 0) return undefined;
  const { places, counts, identified } = accepted;
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
        if (identified.has(fileKey(rule, name))) {
          identity ??= identityOf(data, { path, atKey, about: about?.() });
          const key = identityKey(rule, name, identity);
          if ((used.get(key) ?? 0) < (counts.get(key) ?? 0)) return use(key);
        }
        const key = places.size > 0 ? acceptedPlace(places, rule, name, path) : undefined;
        if (key !== undefined) return use(key);
      }
      return false;
    },
  };
}

/** The key of the nearest place around a path that is accepted. */
function acceptedPlace(
  places: ReadonlySet<string>,
  rule: string,
  file: string | undefined,
  path: string,
): string | undefined {
  for (let end = path.length; end >= 0; end = end === 0 ? -1 : path.lastIndexOf('/', end - 1)) {
    const key = placeKey(rule, file, path.slice(0, end));
    if (places.has(key)) return key;
  }
  const anywhere = placeKey(rule, file, undefined);
  return places.has(anywhere) ? anywhere : undefined;
}

/** File names cannot have a NUL, so that parts never run into each other. */
function fileKey(rule: string, file: string | undefined): string {
  return `${rule}\0${file ?? '*\0'}`;
}

function placeKey(rule: string, file: string | undefined, path: string | undefined): string {
  return `${fileKey(rule, file)}\0${path ?? '*'}`;
}

function identityKey(
  rule: string,
  file: string | undefined,
  { at, text }: { readonly at: string; readonly text?: string | undefined },
): string {
  return `${fileKey(rule, file)}\0=${at}\0${text ?? '\0'}`;
}

/** What makes a finding the same one after a row was inserted above it, or the file was reformatted. */
export interface Identity {
  /** Its place, with the items of lists by what names them: `/table/rows/[DG-2041]/state`. */
  readonly at: string;
  /** The text that is found fault with, or its beginning and a checksum; a list or object has none. */
  readonly text?: string;
}

/** What of a problem its identity is made from. */
interface Problem {
  /** JSON Pointer. */
  readonly path: string;
  /** The name is found fault with, which the pointer says, and not the value. */
  readonly atKey?: boolean | undefined;
  /** Where it is not the item at the pointer that is meant: what is, in place of the pointer. */
  readonly about?: string | undefined;
}

/** The identity of a problem in a parsed document. */
export function identityOf(data: unknown, { path, atKey, about }: Problem): Identity {
  const steps = parsePointer(path);
  const text = atKey ? undefined : shorten(valueAt(data, steps));
  return { at: about ?? placeOf(data, steps), ...(text === undefined ? {} : { text }) };
}

function placeOf(root: unknown, steps: readonly string[]): string {
  let place = '';
  let value = root;
  for (const [index, step] of steps.entries()) {
    const isItem = Array.isArray(value);
    value = valueAt(value, [step]);
    const isRow = isItem && index === 2 && steps[0] === 'table' && steps[1] === 'rows';
    const name = isItem ? nameIn(value, isRow ? [...rowNames(root), ...names] : names) : undefined;
    place += `/${isItem ? `[${name ?? `#${step}`}]` : step}`;
  }
  return place;
}

/** What names an item, in the order of preference. */
const names = ['id', 'key', 'label', 'title', 'name', 'heading', 'headline', 'text'];

/** Rows have an id, or are known by what stands over the drawer, or in the first column. */
function rowNames(root: unknown): readonly string[] {
  const title = valueAt(root, ['drawer', 'titleKey']);
  const first = valueAt(root, ['table', 'columns', '0', 'key']);
  return ['id', title, first].filter((key) => typeof key === 'string');
}

/** An item that is a text or number names itself, and so does a pair of them. */
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

/** Characters of a text that an identity repeats; a longer one is identified by its checksum as well. */
const longest = 60;

function shorten(value: unknown): string | undefined {
  if (value === undefined || (typeof value === 'object' && value !== null)) return undefined;
  const text = String(value);
  return text.length <= longest ? text : `${text.slice(0, longest)}… ${checksum(text)}`;
}

/** FNV-1a of 32 bits over UTF-16 units, as 8 hexadecimal digits. */
function checksum(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, '0');
}
