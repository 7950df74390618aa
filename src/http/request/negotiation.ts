import { remembering } from '../../base/recent.js';
import { isLanguage, type Language } from '../../words/languages.js';

/** How the bytes of an answer may be coded on their way. */
export type Coding = 'br' | 'gzip' | 'identity';

/** Ours, the smallest first; among those that a client likes equally, the first is taken. */
const ours: readonly Coding[] = ['br', 'gzip', 'identity'];

/**
 * The coding that a client likes best (`Accept-Encoding`, RFC 9110 section 12.5.3). What it refuses (`q=0`) is not
 * used; a client that refuses everything gets the bytes as they are, which it can always read.
 */
export const preferredCoding = remembering((acceptEncoding: string): Coding => {
  const weights = new Map(
    weighedEntries(acceptEncoding).map(({ name, weight }) => [nameOf(name), weight]),
  );
  const weightOf = (coding: Coding) =>
    weights.get(coding) ?? weights.get('*') ?? (coding === 'identity' ? leastWanted : 0);
  const accepted = ours.filter((coding) => weightOf(coding) > 0);
  return accepted.sort((one, other) => weightOf(other) - weightOf(one))[0] ?? 'identity';
});

/** Bytes as they are need not be named to be acceptable, and come last then. */
const leastWanted = 0.0001;

/** RFC 9110 section 8.4.1.3: `x-gzip` is the same. */
function nameOf(coding: string): string {
  return coding === 'x-gzip' ? 'gzip' : coding;
}

/** What a header lists, with how much each is wanted. */
interface Weighed {
  /** In lower case. */
  readonly name: string;
  /** From 0, which is a refusal, to 1. */
  readonly weight: number;
}

/**
 * The entries of a header such as `Accept-Language` in their order (RFC 9110 section 12.4.2): `gzip;q=0.8, br` ->
 * gzip 0.8, br 1. A weight that is none counts as 0: nothing is guessed.
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

/** The cookie that keeps a visitor's choice. */
const languageCookie = 'lang';

/** A year, in seconds. */
const choiceLife = 31_536_000;

/** Where a request may say which language is wanted. */
interface LanguageWishes {
  /** `?lang=` of the address. */
  readonly query: string | undefined;
  /** The Cookie header, or ''. */
  readonly cookie: string;
  /** The Accept-Language header, or ''. */
  readonly accept: string;
}

/** What an answer whose language was chosen by these depends on, for `Vary`. */
export const languageVary = 'Accept-Language, Cookie';

/**
 * The language of a page: the visitor's choice (in the address, else the one kept in a cookie), then what the browser
 * asks for (RFC 9110 section 12.5.4), then the shop's own.
 */
export function chooseLanguage({ query = '', cookie, accept }: LanguageWishes, own: Language) {
  if (isLanguage(query)) return query;
  const kept = cookieValue(cookie, languageCookie);
  if (isLanguage(kept)) return kept;
  return acceptedLanguage(accept) ?? own;
}

/** The header that keeps a choice for a year. */
export function keepLanguage(language: Language): string {
  return `${languageCookie}=${language}; Max-Age=${choiceLife}; Path=/; SameSite=Lax`;
}

/** A cookie's value in a Cookie header; '' where there is none. */
function cookieValue(header: string, name: string): string {
  if (header === '') return '';
  const start = `${name}=`;
  const pair = header.split(';').find((text) => text.trim().startsWith(start));
  return pair?.trim().slice(start.length) ?? '';
}

/** The language of ours that a browser likes best; of equals, the one it names first. */
const acceptedLanguage = remembering((header: string): Language | undefined => {
  let best: { readonly language: Language; readonly weight: number } | undefined;
  for (const { name, weight } of weighedEntries(header)) {
    const language = name.split('-')[0] ?? '';
    if (isLanguage(language) && weight > (best?.weight ?? 0)) best = { language, weight };
  }
  return best?.language;
});
