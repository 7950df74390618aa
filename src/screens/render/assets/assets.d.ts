import type { Words } from '../words/en.js';

/** Styles by file name, made by scripts/build-screen-assets.mjs. */
export declare const styles: Readonly<Record<string, string>>;
export interface PageScript {
  readonly text: string;
  /** SHA-256 in base64. */
  readonly hash: string;
  /** Names of the words that this script reads from the page's data. */
  readonly words: readonly (keyof Words)[];
}
/** The part of a page's script that handles charts. */
export type ChartScript = 'plain' | 'tips' | 'groups' | 'days';
/** The page's script with the parts that a screen needs. */
export declare const scripts: Readonly<Record<ChartScript | `${ChartScript}+extras`, PageScript>>;
/** Style and script of the page around a previewed screen. */
export declare const previewStyle: string;
export declare const previewScript: string;
export declare const previewScriptHash: string;
