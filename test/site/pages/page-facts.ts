/** Unescapes HTML text. */
function plain(text: string): string {
  const marks: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };
  return text
    .replace(/&#x?(\w+);/g, (entity, code: string) =>
      String.fromCodePoint(Number.parseInt(code, entity.startsWith('&#x') ? 16 : 10)),
    )
    .replace(/&(amp|lt|gt|quot);/g, (_entity, name: string) => marks[name] ?? '');
}

/** Returns the metadata in a page's head by name, such as `title`, `canonical`, `og:image` and `hreflang ru`. */
export function headOf(page: string): Readonly<Record<string, string>> {
  const facts: Record<string, string> = {};
  const note = (pattern: RegExp, name: (match: string) => string) => {
    for (const [, key = '', value = ''] of page.matchAll(pattern)) facts[name(key)] = plain(value);
  };
  note(/<meta (?:name|property)="([^"]+)" content="([^"]*)">/g, (key) => key);
  note(/<link rel="(canonical)" href="([^"]*)">/g, (key) => key);
  note(/<link rel="alternate" hreflang="([^"]+)" href="([^"]*)">/g, (key) => `hreflang ${key}`);
  note(/<(title)>([^<]*)<\/title>/g, (key) => key);
  note(/<html (lang)="([^"]+)"/g, (key) => key);
  return facts;
}

/** Returns a page's structured data. */
// biome-ignore lint/suspicious/noExplicitAny: tests read data of several shapes.
export function structuredDataOf(page: string): any {
  const [, json = 'null'] =
    /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page) ?? [];
  return JSON.parse(json);
}

/** Returns the texts of all headings of a level. */
export function headingsOf(page: string, level: 1 | 2 | 3): string[] {
  const pattern = new RegExp(`<h${level}[^>]*>(.*?)</h${level}>`, 'gs');
  return [...page.matchAll(pattern)].map(([, text = '']) => plain(text.replace(/<[^>]*>/g, '')));
}
