import { type Hover, MarkupKind, type Range } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { contractRules } from '../check/contract-rules.js';
import type { Finding } from '../findings/finding.js';
import { severityNames } from '../reporters/reporter.js';
import { allRules } from '../rules/all-rules.js';
import { type Contract, describePath, type Style } from './contract.js';
import { rangeOf, rangesOf } from './diagnostics.js';
import { candidatesFor, type Meaning, meaningOfKey, meaningOfValue } from './meanings.js';
import type { Names } from './names.js';
import { type Pointed, pointedAt, type Sheet } from './sheet.js';

export interface HoverOptions {
  readonly contract: Contract;
  readonly style: Style;
  /** The findings of this version of the document. */
  readonly findings: readonly Finding[];
}

/** Maximum number of rules in a hover text. */
const maxRules = 3;

/** Returns the hover text at an offset: the meaning of a name, its contract, and the rules of findings. */
export function hoverAt(
  document: TextDocument,
  sheet: Sheet,
  offset: number,
  { contract, style, findings }: HoverOptions,
): Hover | undefined {
  const pointed = pointedAt(sheet, offset);
  const found = findingsAt(document, offset, findings);
  const parts = [
    pointed ? aboutMeaning(pointed, sheet.names, style) : '',
    pointed ? describePath(contract, pointed.path, style) : '',
    ...explanations(found, style),
  ].filter(Boolean);
  if (parts.length === 0) return undefined;
  const range = pointed ? rangeOf(document, pointed.node) : found[0]?.range;
  const kind = style.isMarkdown ? MarkupKind.Markdown : MarkupKind.PlainText;
  return { contents: { kind, value: parts.join('\n\n') }, ...(range ? { range } : {}) };
}

/** Describes a name or a value, for example: `amount` — Amount · num. */
function aboutMeaning({ path, isKey, node }: Pointed, names: Names, style: Style): string {
  const meaning = isKey ? meaningOfKey(path) : meaningOfValue(path, names);
  const candidates = meaning ? candidatesFor(referring(meaning), names) : [];
  const about = candidates.find(({ value }) => value === node.value);
  return about?.detail ? `${style.code(String(about.value))} — ${style.text(about.detail)}` : '';
}

/** Removes the limits on fields and statuses, so that all names are found. */
function referring(meaning: Meaning): Meaning {
  return meaning.kind === 'field' || meaning.kind === 'status' ? { kind: meaning.kind } : meaning;
}

interface FoundHere {
  readonly finding: Finding;
  readonly range: Range;
}

function findingsAt(
  document: TextDocument,
  offset: number,
  findings: readonly Finding[],
): readonly FoundHere[] {
  const ranges = rangesOf(document, findings);
  return findings.flatMap((finding, index) => {
    const range = ranges[index];
    if (range === undefined) return [];
    const isHere =
      document.offsetAt(range.start) <= offset && offset <= document.offsetAt(range.end);
    return isHere ? [{ finding, range }] : [];
  });
}

function explanations(found: readonly FoundHere[], style: Style): readonly string[] {
  const bySeverity = new Map(found.map(({ finding }) => [finding.rule, finding.severity]));
  return [...bySeverity].slice(0, maxRules).flatMap(([id, severity]) => {
    const rule = [...contractRules, ...allRules].find((each) => each.id === id);
    if (rule === undefined) return [];
    const heading = `${style.bold(id)} (${severityNames[severity]}): ${style.text(rule.summary)}.`;
    return [`${heading}\n\n${style.text(rule.documentation)}`];
  });
}
