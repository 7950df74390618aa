import fc from 'fast-check';

/** The digits of an integer, which is usually far above 2^53. */
const digits = fc
  .tuple(fc.constantFrom('', '-'), fc.stringMatching(/^[1-9]\d{0,60}$/))
  .map(([sign, number]) => sign + number);

/** Text that looks like long integers or JSON. */
const hostileText = fc.oneof(
  digits,
  digits.map((number) => `"${number}"`),
  digits.map((number) => `:${number},`),
  digits.map((number) => `\\"${number}`),
  fc.uuid().chain((mark) => digits.map((number) => mark + number)),
  fc.string({ unit: 'binary' }),
);

/** JSON text with long integers in any position, formatted as by JSON.stringify. */
export const { text: longIntegers } = fc.letrec<{ text: string }>((tie) => ({
  text: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    digits,
    hostileText.map((text) => JSON.stringify(text)),
    fc.constantFrom('null', 'true', 'false', '0', '0.5', '1e-7', '-1234567.25'),
    fc.array(tie('text')).map((parts) => `[${parts.join(',')}]`),
    fc
      .uniqueArray(fc.tuple(hostileText, tie('text')), { selector: ([name]) => name })
      // JavaScript lists numeric names first, in numeric order.
      .map((parts) => parts.map(([name, part]) => `${JSON.stringify(`n${name}`)}:${part}`))
      .map((parts) => `{${parts.join(',')}}`),
  ),
}));
