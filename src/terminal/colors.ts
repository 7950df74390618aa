import { inspect } from 'node:util';

const styles = ['bold', 'dim', 'inverse', 'red', 'green', 'yellow', 'magenta', 'cyan'] as const;

/** Functions that wrap text in an ANSI style, or return it unchanged if colours are off. */
export type Colors = Readonly<Record<(typeof styles)[number], (text: string) => string>>;

/** The start of an ANSI style (CSI in ECMA-48). */
export const styleStart = '\u001b[';

/**
 * Creates ANSI styles of the 16-colour palette, which terminals adapt to their theme. `start` can be a placeholder that
 * is replaced by `styleStart` when the text is printed.
 */
export function createColors(enabled: boolean, start = styleStart): Colors {
  const pairs = styles.map((name) => {
    const [open, close] = inspect.colors[name] ?? [];
    const style = (text: string) => (enabled ? `${start}${open}m${text}${start}${close}m` : text);
    return [name, style];
  });
  return Object.fromEntries(pairs) as Colors; // The keys are those of `styles`.
}
