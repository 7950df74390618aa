import { exactPointer, isObject, pointer, valueAt } from '../../json/pointers.js';
import type { Remedies } from '../findings/finding.js';
import { describeInvisible, invisibleSigns, isControl, mayHide } from '../text/invisible.js';
import { type Place, pathOf, type Report, type Rule, stepsOf } from './rule.js';

/** The place of texts, and the names of their properties. */
type Texts = readonly [steps: readonly string[], names: readonly string[]];

const blocks: readonly Texts[] = [
  [['product'], ['name', 'entity']],
  [['scenario'], ['headline', 'control']],
];

const lists: readonly Texts[] = [
  [['nav'], ['label']],
  [['kpis'], ['label', 'value']],
  [['statuses'], ['label']],
  [['table', 'columns'], ['label']],
  [['sections'], ['title']],
  [['onboarding'], ['title', 'text']],
];

/** Visits the items of a list, or the values of an object. */
function eachItem(items: unknown, visit: (item: unknown, key: string | number) => void): void {
  if (Array.isArray(items)) items.forEach(visit);
  else if (isObject(items)) for (const key of Object.keys(items)) visit(items[key], key);
}

/**
 * Reports blank texts. Missing texts and values of the wrong type are contract errors. `key` is the step to the item of
 * a list.
 */
function checkTexts(
  parent: unknown,
  [steps, names]: Texts,
  report: Report,
  key?: string | number,
): void {
  if (!isObject(parent)) return;
  for (const name of names) {
    const text = parent[name];
    if (typeof text !== 'string' || text.trim() !== '') continue;
    // The schema requires product texts with at least one character.
    if (steps[0] === 'product' && text === '') continue;
    const place = key === undefined ? [name] : [key, name];
    report(pointer(...steps, ...place), 'This text is visible on the screen, but it is empty.');
  }
}

export const emptyText: Rule = {
  id: 'empty-text',
  severity: 'warning',
  summary: 'A visible text is empty',
  documentation:
    'The contract requires the property but allows an empty text. On the screen, it is a heading, a button or a tab without a name.',
  examples: () => ({
    bad: { scenario: { headline: 'Approval', control: ' ' } },
    finds: ['/scenario/control'],
    good: { scenario: { headline: 'Approval', control: 'Approve' } },
  }),
  check({ data }, report) {
    for (const texts of blocks) checkTexts(valueAt(data, texts[0]), texts, report);
    for (const texts of lists) {
      eachItem(valueAt(data, texts[0]), (item, key) => checkTexts(item, texts, report, key));
    }
  },
};

/** The most different characters that one message names. */
const maxNamed = 3;

/** A text with invisible characters, and its place. */
interface Hidden {
  readonly text: string;
  readonly place: Place;
}

interface Found {
  readonly names: Hidden[];
  readonly values: Hidden[];
}

/** Collects names and values with invisible characters. Skips field names of rows, which are in `rowFields`. */
function visit(value: unknown, place: Place | undefined, found: Found): void {
  if (typeof value !== 'object' || value === null) return;
  const ofRow = place?.parent?.step === 'rows' && place.parent.parent?.step === 'table';
  for (const [name, inner] of Object.entries(value)) {
    const step = Array.isArray(value) ? Number(name) : name;
    const here = { parent: place, step };
    if (!ofRow && step === name && hides(name)) found.names.push({ text: name, place: here });
    if (typeof inner !== 'string') visit(inner, here, found);
    else if (hides(inner)) found.values.push({ text: inner, place: here });
  }
}

function hides(text: string): boolean {
  return mayHide(text) && !invisibleSigns(text).next().done;
}

function describe(what: string, text: string): string {
  const first = new Set<string>();
  let count = 0;
  let position = 0;
  for (const { sign, index } of invisibleSigns(text)) {
    if (count === 0) position = [...text.slice(0, index)].length + 1;
    if (first.size < maxNamed) first.add(describeInvisible(sign));
    count += 1;
  }
  const [one = '', ...others] = first;
  const more = count > 1 ? `, and ${count - 1} more` : '';
  const kinds = others.length > 0 ? ` (also ${others.join(', ')})` : '';
  return `${what} has an invisible character, ${one}, at position ${position}${more}${kinds}. Remove it.`;
}

/** Returns a fix that removes the invisible characters, unless one is a control or nothing else remains. */
function remedies({ text, place }: Hidden, names: ReadonlySet<string>): Remedies {
  let bare = '';
  let end = 0;
  for (const { sign, index } of invisibleSigns(text)) {
    if (isControl(sign)) return {};
    bare += text.slice(end, index);
    end = index + sign.length;
  }
  bare += text.slice(end);
  // A reference to a name must change together with the name.
  if (bare.trim() === '' || names.has(text)) return {};
  const path = exactPointer(...stepsOf(place));
  return {
    fix: {
      title: 'Remove invisible characters',
      edits: [{ kind: 'replace', path, value: bare }],
    },
  };
}

export const invisibleCharacter: Rule = {
  id: 'invisible-character',
  severity: 'warning',
  summary: 'A text has an invisible character',
  documentation:
    'Copied text may contain zero width characters, byte order marks, tags and control characters. Search, comparison and references then fail for texts that look equal. Direction marks and overrides can make a text look different from its content. Characters that a script or an emoji needs are allowed: joiners between Persian or Indic letters and inside emoji, direction marks in right-to-left text, tags in flags, and soft hyphens between letters.',
  examples: () => {
    const user = (name: string) => ({ user: { name, role: 'Lawyer' } });
    return {
      bad: user('\u202eAdmin'),
      finds: ['/user/name'],
      good: user('Admin'),
    };
  },
  check({ data, text, rowFields }, report, reportKey) {
    if (text !== undefined && !mayHide(text) && !hasEscape(text)) return;
    const found: Found = { names: [], values: [] };
    visit(data, undefined, found);
    for (const { text: name, place } of found.names) reportName(name, pathOf(place), reportKey);
    const names = new Set(found.names.map((hidden) => hidden.text));
    for (const [name, { first }] of rowFields) {
      if (!hides(name)) continue;
      names.add(name);
      reportName(name, pointer('table', 'rows', first, name), reportKey);
    }
    for (const hidden of found.values) {
      report(
        pathOf(hidden.place),
        () => describe('The text', hidden.text),
        () => remedies(hidden, names),
      );
    }
  },
};

/** Returns true if JSON text has escapes of characters that may be invisible. */
function hasEscape(text: string): boolean {
  return text.includes('\\u') || text.includes('\\b');
}

function reportName(name: string, path: string, reportKey: Report): void {
  reportKey(path, () => describe('The name', name));
}
