import { type Content, type Html, html, safeUrl } from '../../base/html.js';
import { isLanguage, type Language } from '../../words/languages.js';

/** Parsing needs one; nothing of it is in what is given back. */
const anyOrigin = 'http://site.invalid';

/** A path with its query, in another language; '' is the page that is shown, whatever its address. */
export function inLanguage(path: string, language: Language | undefined): string {
  if (path === '') return language === undefined ? '' : `?lang=${language}`;
  // What most requests ask for needs no parsing.
  if (language === undefined && !path.includes('lang=')) return path;
  const { pathname, searchParams, hash } = new URL(path, anyOrigin);
  searchParams.delete('lang');
  if (language !== undefined) searchParams.set('lang', language);
  const query = searchParams.size > 0 ? `?${searchParams}` : '';
  return `${pathname}${query}${hash}`;
}

/** The language that an address names, which the links of its page then keep. */
export function languageIn(path: string): Language | undefined {
  const name = path === '' ? '' : (new URL(path, anyOrigin).searchParams.get('lang') ?? '');
  return isLanguage(name) ? name : undefined;
}

/** Gives the links of a page: paths of this site, in the language that the page's own address names. */
export function linksFrom(path: string): (to: string) => string {
  const language = languageIn(path);
  return (to) => (language === undefined ? to : inLanguage(to, language));
}

/** A path of this site that a browser cannot take for another host's address. */
const ownPath = /^\/(?![/\\])[^\s\\]*$/;

/** The address of a picture as pages may load it: http, https, or a path here; undefined for anything else. */
export function pictureAddress(image: string): string | undefined {
  const address = image.trim();
  return ownPath.test(address) ? address : safeUrl(address);
}

/** An address as it is seen from elsewhere. `origin`: the site's, without a slash at its end. */
export function absolute(origin: string, address: string): string {
  return address.startsWith('/') ? origin + address : address;
}

/** Pictures fill frames of one shape; what counts is that the browser knows one before they are there. */
const side = 600;

export interface PictureOptions {
  readonly image: string;
  readonly name: string;
  /** Its sizes on the page, for the browser's choice among those of a picture of ours. */
  readonly sizes: string;
  readonly srcsetOf: (image: string) => string | undefined;
  /** '' where the name stands beside the picture. */
  readonly alt?: string;
  /** Whether it is among the first things that are seen: loaded at once, before others. */
  readonly isFirst?: boolean;
  readonly className?: string;
}

/** A picture in a frame; where there is none, the first letter of the name takes its place. */
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

/** The first letter of a name, as a capital. */
export function monogramOf(name: string): string {
  const [letter = '·'] = name.trim();
  return letter.toUpperCase();
}

/** A text as paragraphs; its line breaks stay. */
export function paragraphs(text: string): Html[] {
  const parts = text.trim().split(/(?:\r?\n[\t ]*){2,}/);
  return parts.filter(Boolean).map((part) => html`<p>${lines(part)}</p>`);
}

function lines(text: string): Content {
  return text.split(/\r?\n/).map((line, index) => [index > 0 ? html`<br>` : null, line]);
}

/** What is shown in place of content. */
export function notice(
  { title, text }: { readonly title: string; readonly text: Content },
  more: Content = null,
): Html {
  return html`<div class="notice"><div class="mark" aria-hidden="true"></div><h3>${title}</h3><p>${text}</p>${more}</div>`;
}
