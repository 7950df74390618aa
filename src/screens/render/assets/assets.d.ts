/** Styles by the name of their file; scripts/build-screen-assets.mjs makes them. */
export declare const styles: Readonly<Record<string, string>>;
/** The page's script with the parts that a screen needs, and its SHA-256 in base64. */
export declare const scripts: Readonly<
  Record<'plain' | 'charts' | 'extras' | 'full', { readonly text: string; readonly hash: string }>
>;
/** Style and script of the page around a previewed screen. */
export declare const previewStyle: string;
export declare const previewScript: string;
export declare const previewScriptHash: string;
