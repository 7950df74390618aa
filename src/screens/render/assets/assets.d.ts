/** Styles by the name of their file, and the script of a rendered screen (scripts/build-screen-assets.mjs). */
export declare const styles: Readonly<Record<string, string>>;
export declare const script: string;
/** SHA-256 of the script in base64, for the security policy. */
export declare const scriptHash: string;
/** Style and script of the page around a previewed screen. */
export declare const previewStyle: string;
export declare const previewScript: string;
export declare const previewScriptHash: string;
