import { isLanguage, type Language } from '../../words/languages.js';

/** A content coding of an answer. */
export type Coding = 'br' | 'gzip' | 'identity';

/** The codings of this server, the smallest result first, which wins if a client weights several equally. */
const ours: readonly Coding[] = ['br', 'gzip', 'identity'];

/**
 * Returns the coding that a client prefers (`Accept-Encoding`, RFC 9110 section 12.5.3). A refused coding (`q=0`) is not
 * used. A client that refuses every coding gets the uncompressed bytes, which it can always read.
 */
export function preferredCoding(acceptEncoding: string): Coding {
  const weights = new Map(
    weighedEntries(acceptEncoding).map(({ name, weight }) => [nameOf(name), weight]),
  );
  const weightOf = (coding: Coding) =>
    weights.get(coding) ?? weights.get('*') ?? (coding === 'identity' ? minWanted : 0);
  const accepted = ours.filter((coding) => weightOf(coding) > 0);
  return accepted.sort((one, other) => weightOf(other) - weightOf(one))[0] ?? 'identity';
}

/** The weight of uncompressed bytes that a client does not name: acceptable, but last. */
const minWanted = 0.0001;

/** RFC 9110 section 8.4.1.3: `x-gzip` is the same. */
function nameOf(coding: string): string {
  return coding === 'x-gzip' ? 'gzip' : coding;
}

/** An entry of a header, with its weight. */
interface Weighed {
  /** In lower case. */
  readonly name: string;
  /** From 0, a refusal, to 1. */
  readonly weight: number;
}

/**
 * Returns the entries of a header such as `Accept-Language`, in order (RFC 9110 section 12.4.2): `gzip;q=0.8, br` ->
 * gzip 0.8, br 1. An invalid weight counts as 0.
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

/** The cookie with a visitor's choice. */
const languageCookie = 'lang';

/** One year, in seconds. */
const choiceLife = 31_536_000;

/** The parts of a request that may name a language. */
interface LanguageWishes {
  /** `?lang=` of the address. */
  readonly query: string | undefined;
  /** The Cookie header, or ''. */
  readonly cookie: string;
  /** The Accept-Language header, or ''. */
  readonly accept: string;
}

/** The headers that choose the language of an answer, for `Vary`. */
export const languageVary = 'Accept-Language, Cookie';

/**
 * Returns the language of a page: the visitor's choice in the address or else in the cookie, or else the one that the
 * browser prefers (RFC 9110 section 12.5.4), or else the shop's.
 */
export function chooseLanguage({ query = '', cookie, accept }: LanguageWishes, own: Language) {
  if (isLanguage(query)) return query;
  const kept = cookieValue(cookie, languageCookie);
  if (isLanguage(kept)) return kept;
  return acceptedLanguage(accept) ?? own;
}

/** Returns the Set-Cookie header that keeps a choice for a year. */
export function keepLanguage(language: Language): string {
  return `${languageCookie}=${language}; Max-Age=${choiceLife}; Path=/; SameSite=Lax`;
}

/** Returns a cookie's value from a Cookie header; '' if the cookie is absent. */
function cookieValue(header: string, name: string): string {
  if (header === '') return '';
  const start = `${name}=`;
  const pair = header.split(';').find((text) => text.trim().startsWith(start));
  return pair?.trim().slice(start.length) ?? '';
}

/** Returns the supported language that a browser prefers; of equal weights, the first. */
function acceptedLanguage(header: string): Language | undefined {
  let best: { readonly language: Language; readonly weight: number } | undefined;
  for (const { name, weight } of weighedEntries(header)) {
    const language = name.split('-')[0] ?? '';
    if (isLanguage(language) && weight > (best?.weight ?? 0)) best = { language, weight };
  }
  return best?.language;
}
