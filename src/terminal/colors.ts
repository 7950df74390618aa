import { inspect } from 'node:util';

const styles = ['bold', 'dim', 'inverse', 'red', 'green', 'yellow', 'magenta', 'cyan'] as const;

/** Functions that wrap text in an ANSI style, or give it back unchanged where colour is off. */
export type Colors = Readonly<Record<(typeof styles)[number], (text: string) => string>>;

/** What a style begins with as terminals take it (ECMA-48: CSI). */
export const styleStart = '\u001b[';

/**
 * ANSI styles of the 16-colour palette, which terminals adapt to their light or dark theme. `start` may
 * stand for `styleStart` until the text is printed.
 */
export function createColors(enabled: boolean, start = styleStart): Colors {
  const pairs = styles.map((name) => {
    const [open, close] = inspect.colors[name] ?? [];
    const style = (text: string) => (enabled ? `${start}${open}m${text}${start}${close}m` : text);
    return [name, style];
  });
  return Object.fromEntries(pairs) as Colors; // Object.fromEntries forgets the names; they are those of `styles`.
}
