/** What a header lists, with how much each is wanted. */
export interface Weighed {
  /** In lower case. */
  readonly name: string;
  /** From 0, which is a refusal, to 1. */
  readonly weight: number;
}

/**
 * The entries of a header such as `Accept-Language` in their order (RFC 9110 section 12.4.2): `gzip;q=0.8, br` ->
 * gzip 0.8, br 1. A weight that is none counts as 0: nothing is guessed.
 */
export function weighedEntries(header: string): Weighed[] {
  return header.split(',').map((entry) => {
    const [name = '', ...parameters] = entry.split(';').map((text) => text.trim().toLowerCase());
    return { name, weight: weightOf(parameters) };
  });
}

function weightOf(parameters: readonly string[]): number {
  const weight = parameters.find((text) => text.startsWith('q='))?.slice(2);
  if (weight === undefined) return 1;
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight) : 0;
}
