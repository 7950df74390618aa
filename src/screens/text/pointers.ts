/** The steps of a JSON Pointer (RFC 6901), unescaped. */
export function parsePointer(path: string): readonly string[] {
  if (path === '') return [];
  return path
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The value that a pointer leads to, or undefined where it leads nowhere. */
export function valueAt(root: unknown, steps: readonly string[]): unknown {
  return steps.reduce<unknown>(stepInto, root);
}

function stepInto(value: unknown, step: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[step]; // an own property, seen above
}

/** Whether a value is an object that is no list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
