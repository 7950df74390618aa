import { allows, type Contract, type ContractNode } from './contract.js';

/** What is written for a value that nobody has chosen yet. */
export interface Skeletons {
  /** With stops for the cursor where the client fills snippets. */
  readonly fillsSnippets: boolean;
  readonly contract: Contract;
}

/** The deepest nesting of objects that a skeleton writes out. */
const deepest = 2;

/** An empty value of the right kind, ready to be filled in: an object with what it has to have. */
export function skeletonOf(node: ContractNode | undefined, skeletons: Skeletons): string {
  const { fillsSnippets, contract } = skeletons;
  let stops = 0;
  const stop = (text = ''): string => {
    stops += 1;
    return fillsSnippets ? `\${${stops}${text && `:${text}`}}` : text;
  };
  /** One of the words that are allowed, where the client lets somebody choose. */
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
  /** What an object or a list has to have: a list that may not be empty one item. */
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

/** A text in a snippet that stands for itself. */
export function escapeSnippet(text: string): string {
  return text.replace(/[\\$}]/g, '\\$&');
}
