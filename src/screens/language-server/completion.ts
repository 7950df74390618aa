import {
  type CompletionItem,
  CompletionItemKind,
  CompletionItemTag,
  InsertTextFormat,
  InsertTextMode,
  MarkupKind,
} from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import {
  allows,
  type Contract,
  type ContractNode,
  describePath,
  isDeprecated,
  type Path,
  type Style,
} from './contract.js';
import { rangeOf } from './diagnostics.js';
import {
  type Candidate,
  candidatesFor,
  isDefinition,
  meaningOfKey,
  meaningOfValue,
} from './meanings.js';
import { type Names, rowExtras } from './names.js';
import { type CursorContext, contextAt } from './place-in-document.js';

export interface CompletionOptions {
  readonly contract: Contract;
  readonly fillsSnippets: boolean;
  readonly style: Style;
}

/** Maximum number of completions. If there are more, only those that contain the typed text are offered. */
const maxItems = 500;

export interface Completions {
  /** True if there are more items, so that the client requests them again after the next letter. */
  readonly isIncomplete: boolean;
  readonly items: CompletionItem[];
}

/** Returns the completions at an offset of a document. */
export function completionsAt(
  document: TextDocument,
  names: Names,
  offset: number,
  options: CompletionOptions,
): Completions {
  const text = document.getText();
  const context = contextAt(text, offset);
  if (context === undefined) return { isIncomplete: false, items: [] };
  const choices =
    context.kind === 'key' ? keysFor(context, names, options) : valuesFor(context, names, options);
  const written = text.slice(context.replaced.offset, offset);
  const word = written.replace(/^"/, '').toLowerCase();
  const isIncomplete = choices.length > maxItems;
  const shown = isIncomplete
    ? choices.filter(({ label }) => label.toLowerCase().includes(word)).slice(0, maxItems)
    : choices;
  const write = writer(document, context, written.startsWith('"'), options);
  return { isIncomplete, items: shown.map(write) };
}

/** A completion before it is adapted to the surrounding text. */
interface Choice {
  readonly label: string;
  /** The inserted text, as JSON. */
  readonly text: string;
  /** The text with tab stops. */
  readonly snippet?: string;
  readonly kind: CompletionItemKind;
  readonly detail?: string;
  readonly documentation?: string;
  readonly isDeprecated?: boolean;
}

function keysFor(
  context: CursorContext,
  names: Names,
  options: CompletionOptions,
): readonly Choice[] {
  const { contract } = options;
  const node = contract.at(context.path);
  if (node === undefined) return [];
  const { properties = {}, required = [] } = node;
  const known = Object.keys(properties);
  const deprecated = known.filter((name) => isDeprecated(contract.inside(node, name) ?? {}));
  const usual = known.filter((name) => !required.includes(name) && !deprecated.includes(name));
  const inOrder = [...freeNames(context.path, names), ...required, ...usual, ...deprecated];
  return [...new Set(inOrder)]
    .filter((name) => !context.siblings.has(name))
    .map((name) => keyChoice(context, name, names, options));
}

/** Returns property names that are defined elsewhere in the document: fields, statuses, questions. */
function freeNames(path: Path, names: Names): readonly string[] {
  const meaning = meaningOfKey([...path, '']);
  if (meaning === undefined || isDefinition(meaning)) return [];
  return candidatesFor(meaning, names).map(({ value }) => String(value));
}

function keyChoice(
  { path: parent, hasColon }: CursorContext,
  name: string,
  names: Names,
  { contract, fillsSnippets, style }: CompletionOptions,
): Choice {
  const path = [...parent, name];
  const node = contract.at(path);
  const key = JSON.stringify(name);
  const isRequired = contract.requires(path);
  const column = rowExtras.includes(name) ? undefined : names.columns.find((c) => c.key === name);
  const isCell = node === undefined && column !== undefined;
  const shape = isCell && column.type === 'num' ? { type: 'number' } : node;
  const skeleton = skeletonOf(shape, { contract, fillsSnippets });
  const text = hasColon ? key : `${key}: ${skeleton}`;
  return {
    label: name,
    text,
    ...(fillsSnippets && !hasColon ? { snippet: `${escapeSnippet(key)}: ${skeleton}` } : {}),
    kind: CompletionItemKind.Property,
    detail: isCell
      ? column.label
      : [node?.title, isRequired ? 'required' : ''].filter(Boolean).join(' · '),
    documentation: describePath(contract, path, style),
    isDeprecated: node !== undefined && isDeprecated(node),
  };
}

function valuesFor(
  context: CursorContext,
  names: Names,
  options: CompletionOptions,
): readonly Choice[] {
  const { contract, fillsSnippets, style } = options;
  const { path, items } = context;
  const node = contract.at(path);
  const meaning = meaningOfValue(path, names);
  const named = meaning ? candidatesFor(meaning, names) : [];
  const words: readonly Candidate[] = (node?.enum ?? []).map((value) => ({ value, detail: '' }));
  const flags: readonly Candidate[] =
    node && allows(node, 'boolean') ? [true, false].map((value) => ({ value, detail: '' })) : [];
  const documentation = describePath(contract, path, style);
  const choices = [...named, ...words, ...flags]
    .filter(({ value }) => !items.has(String(value)))
    .map(({ value, detail }): Choice => {
      const isDefault = node?.default === value ? 'default' : '';
      return {
        label: String(value),
        text: JSON.stringify(value),
        kind: meaning ? CompletionItemKind.Reference : CompletionItemKind.EnumMember,
        detail: [detail, isDefault].filter(Boolean).join(' · '),
        documentation,
      };
    });
  const isOpen = node !== undefined && (allows(node, 'object') || allows(node, 'array'));
  if (!isOpen || context.replaced.length > 0) return choices;
  const text = skeletonOf(node, { contract, fillsSnippets });
  const label = allows(node, 'array') ? '[ ]' : '{ }';
  const kind = CompletionItemKind.Struct;
  const snippet = fillsSnippets ? { snippet: text } : {};
  return [...choices, { label, text, ...snippet, kind, detail: node.title ?? '', documentation }];
}

/** Returns a function that converts choices to completion items, and adds missing commas around them. */
function writer(
  document: TextDocument,
  context: CursorContext,
  isQuoted: boolean,
  { fillsSnippets, style }: CompletionOptions,
) {
  const range = rangeOf(document, context.replaced);
  const comma = context.needsCommaAfter ? ',' : '';
  const { commaBefore } = context;
  const additionalTextEdits =
    commaBefore === undefined
      ? {}
      : {
          additionalTextEdits: [
            { range: rangeOf(document, { offset: commaBefore, length: 0 }), newText: ',' },
          ],
        };
  return (choice: Choice, index: number): CompletionItem => {
    const { label, text, snippet, kind, detail, documentation } = choice;
    const isSnippet = fillsSnippets && snippet !== undefined;
    const kindOfText = style.isMarkdown ? MarkupKind.Markdown : MarkupKind.PlainText;
    return {
      label,
      kind,
      ...(detail ? { detail } : {}),
      ...(documentation ? { documentation: { kind: kindOfText, value: documentation } } : {}),
      ...(choice.isDeprecated ? { tags: [CompletionItemTag.Deprecated] } : {}),
      // Editors compare this with the replaced text, including the opening quote.
      filterText: isQuoted ? `"${label}"` : label,
      sortText: String(index).padStart(4, '0'),
      insertTextMode: InsertTextMode.adjustIndentation,
      insertTextFormat: isSnippet ? InsertTextFormat.Snippet : InsertTextFormat.PlainText,
      textEdit: { range, newText: `${isSnippet ? snippet : text}${comma}` },
      ...additionalTextEdits,
    };
  };
}

/** Maximum nesting depth of objects in a skeleton. */
const deepest = 2;

/** Returns an empty value of the right type, with the required properties of objects. */
function skeletonOf(
  node: ContractNode | undefined,
  { fillsSnippets, contract }: Pick<CompletionOptions, 'fillsSnippets' | 'contract'>,
): string {
  let stops = 0;
  const stop = (text = ''): string => {
    stops += 1;
    return fillsSnippets ? `\${${stops}${text && `:${text}`}}` : text;
  };
  /** Returns a tab stop with the allowed words as choices. */
  const word = (words: readonly string[] = []): string =>
    words.length > 0 && fillsSnippets ? `\${${++stops}|${words.join()}|}` : stop();
  const write = (part: ContractNode | undefined, indent: string, level: number): string => {
    if (part === undefined || allows(part, 'string')) return `"${word(part?.enum)}"`;
    if (allows(part, 'boolean')) return stop(String(part.default !== true));
    if (!allows(part, 'array') && !allows(part, 'object')) return stop(String(part.minimum ?? 0));
    const inner = `${indent}\t`;
    const [open, close] = allows(part, 'array') ? '[]' : '{}';
    const lines = level < deepest ? contents(part, inner, level) : [];
    if (lines.length === 0) return `${open}${stop()}${close}`;
    return `${open}\n${lines.map((line) => `${inner}${line}`).join(',\n')}\n${indent}${close}`;
  };
  /** Returns the required contents of an object or a list. */
  const contents = (part: ContractNode, indent: string, level: number): readonly string[] => {
    const { minItems = 0, minProperties = 0, required = [], items } = part;
    const inside = contract.inside(part, '');
    if (minItems > 0 && items) return [write(contract.inside(part, 0), indent, level)];
    if (minProperties > 0 && inside) return [`"${stop()}": ${write(inside, indent, level + 1)}`];
    return required.map(
      (name) => `"${name}": ${write(contract.inside(part, name), indent, level + 1)}`,
    );
  };
  return write(node, '', 0);
}

/** Escapes literal text for a snippet. */
function escapeSnippet(text: string): string {
  return text.replace(/[\\$}]/g, '\\$&');
}
