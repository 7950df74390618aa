/** A node of the tree that a source file is parsed to. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [name: string]: unknown;
}

/** Calls `found` with every node of a tree, outer ones first. */
export function visit(value: unknown, found: (node: SyntaxNode) => void): void {
  if (Array.isArray(value)) for (const entry of value) visit(entry, found);
  else if (typeof value === 'object' && value !== null && !(value instanceof RegExp)) {
    if ('type' in value && 'start' in value) found(value as SyntaxNode);
    for (const part of Object.values(value)) visit(part, found);
  }
}
