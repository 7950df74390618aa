/**
 * Whether a terminal can be painted on: a dumb one cannot, and ink draws nothing before its end on a
 * machine that calls itself CI.
 */
export function canPaint(env: Readonly<Record<string, string | undefined>>): boolean {
  const isCi = [env.CI, env.CONTINUOUS_INTEGRATION].some((value) => isSet(value));
  return env.TERM !== 'dumb' && !isCi;
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '0' && value !== 'false';
}
