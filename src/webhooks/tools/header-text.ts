/**
 * Headers as people have them at hand: a JSON object of names and values, or lines `Name: value` with or
 * without a request line before and a body after an empty line. Names come back in lower case; null where
 * a line is none of this.
 */
export function parseHeaders(text: string): Record<string, string> | null {
  return text.trimStart().startsWith('{') ? parseObject(text) : parseLines(text);
}

function parseObject(text: string): Record<string, string> | null {
  try {
    const entries = Object.entries(JSON.parse(text) as Record<string, unknown>);
    return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), String(value)]));
  } catch {
    return null;
  }
}

function parseLines(text: string): Record<string, string> | null {
  const [head = ''] = text.trimStart().split(/\r?\n\r?\n/, 1);
  const lines = head.split(/\r?\n/).filter((line) => line.trim() !== '');
  const [first = ''] = lines;
  const fields = /^[A-Z]+ \S+ HTTP\/[\d.]+$/.test(first.trim()) ? lines.slice(1) : lines;
  const headers: Record<string, string> = {};
  for (const field of fields) {
    const line = field.trim();
    const [name] = /^[!#$%&'*+.^_`|~\w-]+(?=:)/.exec(line) ?? [];
    if (name === undefined) return null;
    headers[name.toLowerCase()] = line.slice(name.length + 1).trim();
  }
  return headers;
}
