import { safeUrl } from '../../base/html.js';
import { isLanguage, type Language } from '../../base/languages.js';

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
