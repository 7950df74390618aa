import { isLanguage, type Language } from '../../words/languages.js';

/** A content coding of a response. */
export type Coding = 'br' | 'gzip' | 'identity';

/** The codings that this server supports, smallest result first. The first wins if a client weights several equally. */
const supported: readonly Coding[] = ['br', 'gzip', 'identity'];

/**
 * Returns the coding that a client prefers (`Accept-Encoding`, RFC 9110 section 12.5.3). A coding with `q=0` is not
 * used. A client that excludes every coding receives the uncompressed bytes, which it can always read.
 */
export function preferredCoding(acceptEncoding: string): Coding {
  const weights = new Map(
    weighedEntries(acceptEncoding).map(({ name, weight }) => [nameOf(name), weight]),
  );
  const weightOf = (coding: Coding) =>
    weights.get(coding) ?? weights.get('*') ?? (coding === 'identity' ? unnamedIdentity : 0);
  const accepted = supported.filter((coding) => weightOf(coding) > 0);
  return accepted.sort((one, other) => weightOf(other) - weightOf(one))[0] ?? 'identity';
}

/** The weight of `identity` if the client does not name it: acceptable, but last. */
const unnamedIdentity = 0.0001;

/** Maps `x-gzip` to `gzip`, its equivalent (RFC 9110 section 8.4.1.3). */
function nameOf(coding: string): string {
  return coding === 'x-gzip' ? 'gzip' : coding;
}

/** An entry of a header, with its weight. */
interface Weighed {
  /** In lower case. */
  readonly name: string;
  /** From 0 (not acceptable) to 1. */
  readonly weight: number;
}

/**
 * Returns the entries of a header such as `Accept-Language`, in order (RFC 9110 section 12.4.2): `gzip;q=0.8, br` ->
 * gzip 0.8, br 1. An invalid weight is treated as 0.
 */
function weighedEntries(header: string): Weighed[] {
  return header.split(',').map((entry) => {
    const [name = '', ...parameters] = entry.split(';').map((text) => text.trim().toLowerCase());
    return { name, weight: weightOf(parameters) };
  });
}

function weightOf(parameters: readonly string[]): number {
  const weight = parameters.find((text) => text.startsWith('q='))?.slice(2);
  if (weight === undefined) return 1;
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight) : 0;
}

/** Name of the cookie that stores a visitor's language. */
const languageCookie = 'lang';

/** Lifetime of the cookie: one year, in seconds. */
const choiceLife = 31_536_000;

/** The parts of a request that may specify a language. */
interface LanguageWishes {
  /** The query parameter `lang`. */
  readonly query: string | undefined;
  /** The Cookie header, or ''. */
  readonly cookie: string;
  /** The Accept-Language header, or ''. */
  readonly accept: string;
}

/** The headers that determine the language of a response, for `Vary`. */
export const languageVary = 'Accept-Language, Cookie';

/**
 * Returns the language of a page. It is the first of these that is known: the visitor's choice in the query, the choice
 * in the cookie, the language that the browser prefers (RFC 9110 section 12.5.4), and the shop's language.
 */
export function chooseLanguage({ query = '', cookie, accept }: LanguageWishes, fallback: Language) {
  if (isLanguage(query)) return query;
  const kept = cookieValue(cookie, languageCookie);
  if (isLanguage(kept)) return kept;
  return acceptedLanguage(accept) ?? fallback;
}

/** Returns the Set-Cookie header that stores a visitor's language for a year. */
export function keepLanguage(language: Language): string {
  return `${languageCookie}=${language}; Max-Age=${choiceLife}; Path=/; SameSite=Lax`;
}

/** Returns a cookie's value from a Cookie header, or '' if the cookie is absent. */
function cookieValue(header: string, name: string): string {
  if (header === '') return '';
  const start = `${name}=`;
  const pair = header.split(';').find((text) => text.trim().startsWith(start));
  return pair?.trim().slice(start.length) ?? '';
}

/** Returns the supported language that a browser prefers. Of several with equal weight, returns the first. */
function acceptedLanguage(header: string): Language | undefined {
  let best: { readonly language: Language; readonly weight: number } | undefined;
  for (const { name, weight } of weighedEntries(header)) {
    const language = name.split('-')[0] ?? '';
    if (isLanguage(language) && weight > (best?.weight ?? 0)) best = { language, weight };
  }
  return best?.language;
}
