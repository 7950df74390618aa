const codes = {
  bold: [1, 22],
  dim: [2, 22],
  underline: [4, 24],
  inverse: [7, 27],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  magenta: [35, 39],
  cyan: [36, 39],
  gray: [90, 39],
} as const;

/** Functions that wrap text in an ANSI style, or give it back unchanged where colour is off. */
export type Colors = Readonly<Record<keyof typeof codes, (text: string) => string>>;

/** What a style begins with as terminals take it (ECMA-48: CSI). */
export const styleStart = '\u001b[';

/**
 * ANSI styles of the 16-colour palette, which terminals adapt to their light or dark theme. `start` may
 * stand for `styleStart` until the text is printed.
 */
export function createColors(enabled: boolean, start = styleStart): Colors {
  const style =
    ([open, close]: readonly [number, number]) =>
    (text: string) =>
      enabled ? `${start}${open}m${text}${start}${close}m` : text;
  return Object.fromEntries(
    Object.entries(codes).map(([name, pair]) => [name, style(pair)]),
  ) as Colors; // Object.fromEntries forgets the key names; they are those of `codes`.
}
