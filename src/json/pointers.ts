/** The steps of a JSON Pointer (RFC 6901), unescaped. */
export function parsePointer(path: string): readonly string[] {
  if (path === '') return [];
  const steps = path.slice(1).split('/');
  if (!path.includes('~')) return steps;
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Characters of a name in a pointer; a longer one is not a misspelling, and pointers end at the object around it. */
const longestStep = 200;

/**
 * A JSON Pointer from its steps. It ends before a name that is too long to be repeated in every
 * finding: it then leads to the object that has the name.
 */
export function pointer(...steps: readonly (string | number)[]): string {
  let path = '';
  for (const step of steps) {
    if (typeof step === 'number') path += `/${step}`;
    else if (step.length >= longestStep) break;
    else path += `/${escapeStep(step)}`;
  }
  return path;
}

/** A JSON Pointer from its steps, however long they are: for what is going to be changed. */
export function exactPointer(...steps: readonly (string | number)[]): string {
  return steps.map((step) => `/${escapeStep(String(step))}`).join('');
}

/** A name as a step of a pointer. */
export function escapeStep(name: string): string {
  return /[~/]/.test(name) ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name;
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
