import type { Words } from '../words/en.js';

/** Styles by the name of their file; scripts/build-screen-assets.mjs makes them. */
export declare const styles: Readonly<Record<string, string>>;
export interface PageScript {
  readonly text: string;
  /** SHA-256 in base64. */
  readonly hash: string;
  /** Names of the words in the page's data that this script says. */
  readonly words: readonly (keyof Words)[];
}
/** What a page's script does about charts. */
export type ChartScript = 'plain' | 'tips' | 'groups' | 'days';
/** The page's script with the parts that a screen needs. */
export declare const scripts: Readonly<Record<ChartScript | `${ChartScript}+extras`, PageScript>>;
/** Style and script of the page around a previewed screen. */
export declare const previewStyle: string;
export declare const previewScript: string;
export declare const previewScriptHash: string;
