/** One element of a parsed XML document. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
  readonly text: string;
}

interface Open {
  name: string;
  attributes: Record<string, string>;
  children: Element[];
  text: string;
}

const token = /<\?xml[^?]*\?>|<\/([\w-]+)>|<([\w-]+)((?: [\w-]+="[^"<]*")*)\s*(\/?)>|([^<]+)/gy;

/** Parses the subset of XML that reports use. Throws an error for anything else. */
export function parseXml(source: string): Element {
  const root: Open = { name: '', attributes: {}, children: [], text: '' };
  const stack = [root];
  token.lastIndex = 0;
  while (token.lastIndex < source.length) {
    const at = token.lastIndex;
    const match = token.exec(source);
    const parent = stack.at(-1);
    if (match === null || parent === undefined)
      throw new Error(`Invalid XML at ${at}: ${source.slice(at, at + 60)}`);
    const [, closing, opening, attributes = '', selfClosing, text] = match;
    if (text !== undefined) parent.text += decode(text);
    if (closing !== undefined) {
      if (parent.name !== closing) throw new Error(`</${closing}> closes <${parent.name}>`);
      stack.pop();
    }
    if (opening !== undefined) {
      const element: Open = {
        name: opening,
        attributes: readAttributes(attributes),
        children: [],
        text: '',
      };
      parent.children.push(element);
      if (selfClosing === '') stack.push(element);
    }
  }
  const [document] = root.children;
  if (stack.length !== 1 || root.children.length !== 1 || !document)
    throw new Error('The document does not have exactly one root element');
  return document;
}

function readAttributes(source: string): Record<string, string> {
  const pairs = [...source.matchAll(/([\w-]+)="([^"]*)"/g)];
  return Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, decode(value)]));
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };

function decode(text: string): string {
  if (/[^\t\n\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(text))
    throw new Error('XML does not allow this character');
  return text.replace(/&(?:#(\d+)|(\w+));|&/g, (whole, code?: string, name?: string) => {
    const sign = code ? String.fromCodePoint(Number(code)) : entities[name ?? ''];
    if (sign === undefined) throw new Error(`Unknown entity ${whole}`);
    return sign;
  });
}
