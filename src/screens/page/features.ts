/**
 * Parts of the script that a page may do without; the build replaces these names by true or false and
 * drops what is never reached (scripts/build-screen-assets.mjs).
 */
declare global {
  /** A chart that counts rows, or hints beside the bars of any chart. */
  const withCharts: boolean;
  /** The assistant, and the archetypes with behaviour of their own. */
  const withExtras: boolean;
}

export {};
