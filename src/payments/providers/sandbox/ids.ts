/** Added to every id where the sandbox is told to have ids beyond 2^53. */
const beyond = 9_000_000_000_000_000_000n;

/** The ways of writing an id. */
export const idForms: Readonly<Record<string, (id: number) => unknown>> = {
  text: String,
  big: (id) => BigInt(id) + beyond,
  uuid: (id) => `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`,
  float: (id) => id + 0.5,
  none: () => undefined,
};

/** The number that an id in a request means, in digits or as a number; -1, which no operation has, for none. */
export function operationNumber(id: number | bigint | string): number {
  if (!/^\d{1,30}$/.test(String(id))) return -1;
  const given = BigInt(id);
  const number = Number(given > beyond ? given - beyond : given);
  return Number.isSafeInteger(number) ? number : -1;
}
