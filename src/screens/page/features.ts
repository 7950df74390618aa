/**
 * Features that are optional in the page script. The build (scripts/build-screen-assets.mjs) replaces these names with
 * true or false and removes unreachable code.
 */
declare global {
  /** Tooltips on chart bars. */
  const withTips: boolean;
  /** A chart that counts rows by group. */
  const withGroups: boolean;
  /** A chart that counts rows by day. */
  const withDays: boolean;
  /** The assistant, and the archetypes that need a script. */
  const withExtras: boolean;
}

export {};
