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

/** ANSI styles of the 16-colour palette, which terminals adapt to their light or dark theme. */
export function createColors(enabled: boolean): Colors {
  const style =
    ([open, close]: readonly [number, number]) =>
    (text: string) =>
      enabled ? `\u001b[${open}m${text}\u001b[${close}m` : text;
  return Object.fromEntries(
    Object.entries(codes).map(([name, pair]) => [name, style(pair)]),
  ) as Colors; // Object.fromEntries forgets the key names; they are those of `codes`.
}
