/** Returns the unescaped steps of a JSON Pointer (RFC 6901). */
export function parsePointer(path: string): readonly string[] {
  if (path === '') return [];
  const steps = path.slice(1).split('/');
  if (!path.includes('~')) return steps;
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Length at which a name is omitted from a pointer, in characters. The pointer then ends at the parent object. */
const maxStepLength = 200;

/** Builds a JSON Pointer for a message. Before a name of 200 characters or more, it ends at the parent object. */
export function pointer(...steps: readonly (string | number)[]): string {
  let path = '';
  for (const step of steps) {
    if (typeof step === 'number') path += `/${step}`;
    else if (step.length >= maxStepLength) break;
    else path += `/${escapeStep(step)}`;
  }
  return path;
}

/** Builds a JSON Pointer from steps of any length, for edits. */
export function exactPointer(...steps: readonly (string | number)[]): string {
  return steps.map((step) => `/${escapeStep(String(step))}`).join('');
}

/** Escapes a name as a step of a JSON Pointer. */
export function escapeStep(name: string): string {
  return /[~/]/.test(name) ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name;
}

/** Returns the value at a path of own properties and indexes, or undefined. */
export function valueAt(root: unknown, steps: readonly string[]): unknown {
  return steps.reduce<unknown>(stepInto, root);
}

function stepInto(value: unknown, step: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[step]; // checked above
}

/** Returns true for an object that is not a list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
