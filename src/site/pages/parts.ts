import { type Content, type Html, html, safeUrl } from '../../base/html.js';
import { isLanguage, type Language } from '../../words/languages.js';

/** An origin for parsing paths with `URL`. It is not part of any result. */
const anyOrigin = 'http://site.invalid';

/** Returns a path with its query for a different language. An empty path stands for the current page. */
export function inLanguage(path: string, language: Language | undefined): string {
  if (path === '') return language === undefined ? '' : `?lang=${language}`;
  // Avoids parsing in most requests.
  if (language === undefined && !path.includes('lang=')) return path;
  const { pathname, searchParams, hash } = new URL(path, anyOrigin);
  searchParams.delete('lang');
  if (language !== undefined) searchParams.set('lang', language);
  const query = searchParams.size > 0 ? `?${searchParams}` : '';
  return `${pathname}${query}${hash}`;
}

/** Returns the language in an address. The links of the page preserve it. */
export function languageIn(path: string): Language | undefined {
  const name = path === '' ? '' : (new URL(path, anyOrigin).searchParams.get('lang') ?? '');
  return isLanguage(name) ? name : undefined;
}

/** Returns a function that adds the language in the page's address to a path of this site. */
export function linksFrom(path: string): (to: string) => string {
  const language = languageIn(path);
  return (to) => (language === undefined ? to : inLanguage(to, language));
}

/** Matches paths of this site. Browsers would resolve `//` and `/\\` to a different host. */
const ownPath = /^\/(?![/\\])[^\s\\]*$/;

/** Returns the picture's address if it is an http or https URL or a path of this site; otherwise undefined. */
export function pictureAddress(image: string): string | undefined {
  const address = image.trim();
  return ownPath.test(address) ? address : safeUrl(address);
}

/** Returns the absolute URL of an address. `origin` has no trailing slash. */
export function absolute(origin: string, address: string): string {
  return address.startsWith('/') ? origin + address : address;
}

/** Width and height of pictures in HTML. Any square size reserves the space of the frame before the picture loads. */
const side = 600;

export interface PictureOptions {
  readonly image: string;
  readonly name: string;
  /** The `sizes` attribute, which the browser uses to choose from `srcset`. */
  readonly sizes: string;
  readonly srcsetOf: (image: string) => string | undefined;
  /** Empty if the name is next to the picture. */
  readonly alt?: string;
  /** True if the picture is visible immediately. It is then loaded with high priority. */
  readonly isFirst?: boolean;
  readonly className?: string;
}

/** Draws a picture in a frame, or the first letter of the name if there is no picture. */
export function picture(options: PictureOptions): Html {
  const { image, name, sizes, srcsetOf, alt = '', isFirst = false, className = '' } = options;
  const address = pictureAddress(image);
  const frame = className ? `picture ${className}` : 'picture';
  if (address === undefined) {
    return html`<div class="${frame} empty"><span class="monogram" aria-hidden="true">${monogramOf(name)}</span></div>`;
  }
  const srcset = srcsetOf(address);
  return html`<div class="${frame}" data-letter="${monogramOf(name)}"><img src="${address}"${
    srcset ? html` srcset="${srcset}" sizes="${sizes}"` : null
  } alt="${alt}" width="${side}" height="${side}" decoding="async" ${
    isFirst ? html`fetchpriority="high"` : html`loading="lazy"`
  }></div>`;
}

/** Returns the first letter of a name in upper case. */
export function monogramOf(name: string): string {
  const [letter = '·'] = name.trim();
  return letter.toUpperCase();
}

/** Draws an owner's text as paragraphs. Line breaks are preserved. */
export function paragraphs(text: string): Html[] {
  const parts = text.trim().split(/(?:\r?\n[\t ]*){2,}/);
  return parts.filter(Boolean).map((part) => html`<p>${lines(part)}</p>`);
}

function lines(text: string): Content {
  return text.split(/\r?\n/).map((line, index) => [index > 0 ? html`<br>` : null, line]);
}

/** Draws a notice in place of missing content. */
export function notice(
  { title, text }: { readonly title: string; readonly text: Content },
  more: Content = null,
): Html {
  return html`<div class="notice"><div class="mark" aria-hidden="true"></div><h3>${title}</h3><p>${text}</p>${more}</div>`;
}
