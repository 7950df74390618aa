import { exactPointer, isObject, pointer, valueAt } from '../../json/pointers.js';
import type { Remedies } from '../findings/finding.js';
import { describeInvisible, invisibleSigns, isControl, mayHide } from '../text/invisible.js';
import { type Place, pathOf, type Report, type Rule, stepsOf } from './rule.js';

/** Where texts are, and what they are called. */
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

/** Visits the items of a list, or the statuses: what an object holds by name is gone through like items. */
function eachItem(items: unknown, visit: (item: unknown, key: string | number) => void): void {
  if (Array.isArray(items)) items.forEach(visit);
  else if (isObject(items)) for (const key of Object.keys(items)) visit(items[key], key);
}

/**
 * Looks at texts that are there; what is missing or of the wrong kind is an error already. `key` is the step
 * into a list: a place is only written for what is reported.
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
    // An empty name of the product is too short for the schema.
    if (steps[0] === 'product' && text === '') continue;
    const place = key === undefined ? [name] : [key, name];
    report(pointer(...steps, ...place), 'This text is shown to people, but it is empty.');
  }
}

export const emptyText: Rule = {
  id: 'empty-text',
  severity: 'warning',
  summary: 'A text that people should see is empty',
  documentation:
    'The contract asks for the property but not for anything in it, so that an empty label is valid; on the screen it is a heading, a button or a tab without a name.',
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
const mostNamed = 3;

/** What was found in the document, and where. */
interface Hidden {
  readonly text: string;
  readonly place: Place;
}

interface Found {
  readonly names: Hidden[];
  readonly values: Hidden[];
}

/** The fields of rows are known by themselves: tables are long. */
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
    if (first.size < mostNamed) first.add(describeInvisible(sign));
    count += 1;
  }
  const [one = '', ...others] = first;
  const more = count > 1 ? `, and ${count - 1} more like it` : '';
  const among = others.length > 0 ? `, ${others.join(', ')} among them` : '';
  return `${what} has an invisible character, ${one}, at position ${position}${more}${among}. Remove what nobody sees.`;
}

/** Without it the text looks the same, or as it was written; a text that has nothing else says nothing. */
function remedies({ text, place }: Hidden, names: ReadonlySet<string>): Remedies {
  let bare = '';
  let end = 0;
  for (const { sign, index } of invisibleSigns(text)) {
    if (isControl(sign)) return {};
    bare += text.slice(end, index);
    end = index + sign.length;
  }
  bare += text.slice(end);
  // What is called so elsewhere has to be renamed there as well.
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
  summary: 'A text has a character that nobody sees',
  documentation:
    'Zero width characters, byte order marks, tags and controls come along when text is copied; search, comparison and references then fail on texts that look the same. Marks and overrides of direction can make a text read as something else than it is. What a script or an emoji needs is fine: joiners between Persian or Indic letters and inside emoji, marks of direction among letters that run from right to left, tags in flags, and soft hyphens between letters.',
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
    for (const { text: name, place } of found.names) sayName(name, pathOf(place), reportKey);
    const names = new Set(found.names.map((hidden) => hidden.text));
    for (const [name, { first }] of rowFields) {
      if (!hides(name)) continue;
      names.add(name);
      sayName(name, pointer('table', 'rows', first, name), reportKey);
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

/** In JSON, control characters are escapes, and any other character may be one; those of blanks are drawn. */
function hasEscape(text: string): boolean {
  return text.includes('\\u') || text.includes('\\b');
}

function sayName(name: string, path: string, reportKey: Report): void {
  reportKey(path, () => describe('The name', name));
}
