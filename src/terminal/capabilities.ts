type Environment = Readonly<Record<string, string | undefined>>;

/** Number of colours; 0 disables colours. */
export type ColorDepth = 0 | 16 | 256 | 'true';

/** Returns the colour depth of the environment, or 0 if colours are disabled. */
export function colorDepth(env: Environment, enabled: boolean): ColorDepth {
  if (!enabled) return 0;
  if (/^(truecolor|24bit)$/i.test(env.COLORTERM ?? '')) return 'true';
  return /256|direct|kitty|alacritty|ghostty|wezterm/i.test(env.TERM ?? '') ? 256 : 16;
}

/** Returns false if COLORFGBG specifies a light background (7 or 15). Other terminals are assumed to be dark. */
export function hasDarkBackground(env: Environment): boolean {
  return !/;(7|15)$/.test(env.COLORFGBG ?? '');
}

/**
 * Returns true if the terminal supports drawing. A dumb terminal does not, and on a CI machine, ink draws only the last
 * frame.
 */
export function canPaint(env: Environment): boolean {
  return env.TERM !== 'dumb' && !isCi(env);
}

/** Returns true on a CI machine, where nobody can answer questions. */
export function isCi(env: Environment): boolean {
  return [env.CI, env.CONTINUOUS_INTEGRATION].some(
    (value = 'false') => value !== '0' && value !== 'false',
  );
}
