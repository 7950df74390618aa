import { readFileSync } from 'node:fs';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { globSync } from 'tinyglobby';
import { parseAst } from 'vitest/node';

/** A node of the syntax tree of a source file. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [name: string]: unknown;
}

/** A regular expression in the sources. */
export interface FoundExpression {
  /** File and line. */
  readonly place: string;
  readonly source: string;
  readonly flags: string;
}

interface Found {
  readonly expressions: readonly FoundExpression[];
  /** Expressions that are created at run time, each with its location and the call. */
  readonly computed: readonly { readonly place: string; readonly call: string }[];
}

/** Returns every regular expression of the program: in its code, its schemas and their formats. */
export function findExpressions(root: string): Found {
  const code = globSync(['bin/**/*.js', 'src/**/*.{ts,tsx,js}', 'commands/**/*.ts'], {
    cwd: root,
    ignore: '**/*.d.ts',
  }).map((file) => inCode(file, readFileSync(`${root}/${file}`, 'utf8')));
  const schemas = globSync('schemas/*.json', { cwd: root }).map((file) =>
    inSchema(file, JSON.parse(readFileSync(`${root}/${file}`, 'utf8'))),
  );
  return {
    expressions: [...code.flatMap(({ expressions }) => expressions), ...schemas.flat()],
    computed: code.flatMap(({ computed }) => computed),
  };
}

function inCode(file: string, text: string): Found {
  const expressions: FoundExpression[] = [];
  const computed: { place: string; call: string }[] = [];
  const placeOf = ({ start }: Node) => `${file}:${text.slice(0, start).split('\n').length}`;
  visit(parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' }), (node) => {
    const literal = node.regex as { pattern: string; flags: string } | undefined;
    if (literal) {
      expressions.push({ place: placeOf(node), source: literal.pattern, flags: literal.flags });
    } else if (isCallOf('RegExp', node)) {
      computed.push({ place: placeOf(node), call: text.slice(node.start, node.end) });
    } else if (isPatternProperty(node)) {
      // The patterns of query parameters are strings, as in JSON Schema.
      const { value } = node.value as { value: string };
      expressions.push({ place: placeOf(node), source: value, flags: 'u' });
    }
  });
  return { expressions, computed };
}

function isCallOf(name: string, { type, callee }: Node): boolean {
  if (type !== 'NewExpression' && type !== 'CallExpression') return false;
  return (callee as { name?: unknown }).name === name;
}

function isPatternProperty({ type, key, value }: Node): boolean {
  if (type !== 'Property' || (key as { name?: unknown }).name !== 'pattern') return false;
  return typeof (value as { value?: unknown }).value === 'string';
}

function inSchema(file: string, value: unknown): FoundExpression[] {
  if (typeof value !== 'object' || value === null) return [];
  const { pattern, format } = value as { pattern?: unknown; format?: unknown };
  return [
    ...(typeof pattern === 'string' ? [{ place: file, source: pattern, flags: 'u' }] : []),
    ...(typeof format === 'string' ? ofFormat(file, format) : []),
    ...Object.values(value).flatMap((part) => inSchema(file, part)),
  ];
}

/** Returns the expression that ajv-formats uses for a format, if there is one. */
function ofFormat(file: string, format: string): FoundExpression[] {
  const rule = (fullFormats as Readonly<Record<string, unknown>>)[format];
  if (!(rule instanceof RegExp)) return [];
  return [{ place: `${file}, format ${format}`, source: rule.source, flags: rule.flags }];
}

/** Calls `found` with every node of a tree, outer ones first. */
function visit(value: unknown, found: (node: Node) => void): void {
  if (Array.isArray(value)) for (const entry of value) visit(entry, found);
  else if (typeof value === 'object' && value !== null && !(value instanceof RegExp)) {
    if ('type' in value && 'start' in value) found(value as Node);
    for (const part of Object.values(value)) visit(part, found);
  }
}
