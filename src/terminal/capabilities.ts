type Environment = Readonly<Record<string, string | undefined>>;

/** How many colours the terminal can be told; 0 = none are wanted. */
export type ColorDepth = 0 | 16 | 256 | 'true';

/** What the environment says about colours; `enabled` is false where none are wanted. */
export function colorDepth(env: Environment, enabled: boolean): ColorDepth {
  if (!enabled) return 0;
  if (/^(truecolor|24bit)$/i.test(env.COLORTERM ?? '')) return 'true';
  return /256|direct|kitty|alacritty|ghostty|wezterm/i.test(env.TERM ?? '') ? 256 : 16;
}

/** False where COLORFGBG names a light background (7 or 15); most terminals are dark. */
export function hasDarkBackground(env: Environment): boolean {
  return !/;(7|15)$/.test(env.COLORFGBG ?? '');
}

/**
 * Whether a terminal can be painted on: a dumb one cannot, and ink draws nothing before its end on a
 * machine that calls itself CI.
 */
export function canPaint(env: Environment): boolean {
  return env.TERM !== 'dumb' && !isCi(env);
}

/** Whether this is a machine for continuous integration, where nobody answers questions. */
export function isCi(env: Environment): boolean {
  return [env.CI, env.CONTINUOUS_INTEGRATION].some(
    (value = 'false') => value !== '0' && value !== 'false',
  );
}
