/**
 * Parts that some pages leave out of the script. The build replaces these names by true or false and removes
 * the unreachable code (scripts/build-screen-assets.mjs).
 */
declare global {
  /** Hints on the bars of charts. */
  const withTips: boolean;
  /** A chart that counts rows by group. */
  const withGroups: boolean;
  /** A chart that counts rows by day. */
  const withDays: boolean;
  /** The assistant, and the archetypes with their own behaviour. */
  const withExtras: boolean;
}

export {};
