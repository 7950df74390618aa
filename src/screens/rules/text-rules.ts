import { exactPointer, isObject, pointer, valueAt } from '../../json/pointers.js';
import { listWords, type Remedies } from '../findings/finding.js';
import { describeInvisible, invisibleSigns, isControl, mayHide } from '../text/invisible.js';
import { type PathNode, pathOf, type Report, type Rule, stepsOf } from './rule.js';

/** The path of an object or a list of objects, and the names of their text properties. */
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
 * Reports blank texts of an object. Missing texts and values of the wrong type are contract errors. `key` identifies
 * the object in its list.
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
    // The contract check reports empty product texts.
    if (steps[0] === 'product' && text === '') continue;
    const path = key === undefined ? [name] : [key, name];
    report(pointer(...steps, ...path), 'This text is visible on the screen, but it is empty.');
  }
}

export const emptyText: Rule = {
  id: 'empty-text',
  severity: 'warning',
  summary: 'A visible text is empty',
  documentation:
    'The contract requires this property but allows an empty text. On the screen, an empty text is a heading, a button or a tab without a name.',
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

/** Maximum number of different characters that a message names. */
const maxNamed = 3;

/** A text with invisible characters, and its path. */
interface Hidden {
  readonly text: string;
  readonly node: PathNode;
}

interface Found {
  readonly names: Hidden[];
  readonly values: Hidden[];
}

/** Collects names and values with invisible characters. Skips the field names of rows, which are in `rowFields`. */
function visit(value: unknown, parent: PathNode | undefined, found: Found): void {
  if (typeof value !== 'object' || value === null) return;
  const isRow = parent?.parent?.step === 'rows' && parent.parent.parent?.step === 'table';
  for (const [name, inner] of Object.entries(value)) {
    const step = Array.isArray(value) ? Number(name) : name;
    const node = { parent, step };
    if (!isRow && step === name && hides(name)) found.names.push({ text: name, node });
    if (typeof inner !== 'string') visit(inner, node, found);
    else if (hides(inner)) found.values.push({ text: inner, node });
  }
}

function hides(text: string): boolean {
  return mayHide(text) && !invisibleSigns(text).next().done;
}

function describe(subject: string, text: string): string {
  const kinds = new Set<string>();
  let count = 0;
  let position = 0;
  for (const { sign, index } of invisibleSigns(text)) {
    if (count === 0) position = [...text.slice(0, index)].length + 1;
    if (kinds.size < maxNamed) kinds.add(describeInvisible(sign));
    count += 1;
  }
  const [first = '', ...others] = kinds;
  if (count === 1) {
    return `${subject} contains an invisible character, ${first}, at position ${position}. Remove it.`;
  }
  const rest = others.length > 0 ? `, followed by ${listWords(others, 'and')}` : '';
  return `${subject} contains ${count} invisible characters: ${first} at position ${position}${rest}. Remove them.`;
}

/** Returns a fix that removes the invisible characters, unless one is a control character or no other text remains. */
function remedies({ text, node }: Hidden, names: ReadonlySet<string>): Remedies {
  let visible = '';
  let end = 0;
  for (const { sign, index } of invisibleSigns(text)) {
    if (isControl(sign)) return {};
    visible += text.slice(end, index);
    end = index + sign.length;
  }
  visible += text.slice(end);
  // A reference to a name must change together with the name.
  if (visible.trim() === '' || names.has(text)) return {};
  const path = exactPointer(...stepsOf(node));
  return {
    fix: {
      title: 'Remove invisible characters',
      edits: [{ kind: 'replace', path, value: visible }],
    },
  };
}

export const invisibleCharacter: Rule = {
  id: 'invisible-character',
  severity: 'warning',
  summary: 'A text contains an invisible character',
  documentation:
    'Copied text may contain zero-width characters, byte order marks, tags and control characters. Search, comparison and references then fail for texts that look equal. Direction marks and overrides can make a text look different from its content. Characters that a script or an emoji requires are allowed: joiners between Persian or Indic letters and inside emoji, direction marks in right-to-left text, tags in flags, and soft hyphens between letters.',
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
    for (const { text: name, node } of found.names) reportName(name, pathOf(node), reportKey);
    const names = new Set(found.names.map((hidden) => hidden.text));
    for (const [name, { first }] of rowFields) {
      if (!hides(name)) continue;
      names.add(name);
      reportName(name, pointer('table', 'rows', first, name), reportKey);
    }
    for (const hidden of found.values) {
      report(
        pathOf(hidden.node),
        () => describe('The text', hidden.text),
        () => remedies(hidden, names),
      );
    }
  },
};

/** Returns true if JSON text contains escape sequences, which may stand for invisible characters. */
function hasEscape(text: string): boolean {
  return text.includes('\\u') || text.includes('\\b');
}

function reportName(name: string, path: string, reportKey: Report): void {
  reportKey(path, () => describe('The name', name));
}
