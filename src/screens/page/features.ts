/**
 * Parts of the script that a page may do without; the build replaces these names by true or false and
 * drops what is never reached (scripts/build-screen-assets.mjs).
 */
declare global {
  /** Hints beside the bars of any chart. */
  const withTips: boolean;
  /** A chart that counts the rows of groups. */
  const withGroups: boolean;
  /** A chart that counts the rows of days. */
  const withDays: boolean;
  /** The assistant, and the archetypes with behaviour of their own. */
  const withExtras: boolean;
}

export {};
