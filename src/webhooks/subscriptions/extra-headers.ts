/** Bytes of names and values of a subscription's own headers together. */
const mostHeaderBytes = 8 * 1024;

/** What msgsite sends itself, or what belongs to a connection and not to a request. */
const reserved = new Set([
  ...['content-type', 'content-length', 'content-encoding', 'host', 'user-agent'],
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authenticate', 'proxy-authorization'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade', 'expect', 'http2-settings'],
]);

/** A token of HTTP. */
const namePattern = /^[!#$%&'*+.^_`|~\w-]{1,100}$/;
/** What a value may hold: no line breaks and no other control characters. */
const valuePattern = /^[\t -~]*$/;

/** What is wrong with a subscription's own headers: the name it is about (none = all of them), and why. */
export interface HeaderFault {
  readonly name?: string;
  readonly message: string;
}

/** Everything that is wrong with headers that a request is to carry besides ours. No value is repeated. */
export function headerFaultsOf(headers: Readonly<Record<string, unknown>>): HeaderFault[] {
  const faults: HeaderFault[] = [];
  const seen = new Set<string>();
  let bytes = 0;
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase();
    const message = faultOf(lower, value);
    if (message !== undefined) faults.push({ name, message });
    else if (seen.has(lower)) faults.push({ name, message: 'is given twice' });
    seen.add(lower);
    bytes += name.length + (typeof value === 'string' ? value.length : 0);
  }
  if (bytes > mostHeaderBytes) {
    faults.push({ message: `must have at most ${mostHeaderBytes / 1024} KB in all` });
  }
  return faults;
}

function faultOf(lowerName: string, value: unknown): string | undefined {
  if (!namePattern.test(lowerName)) return 'is not a valid header name';
  if (reserved.has(lowerName) || /^(x-)?webhook-/.test(lowerName)) {
    return 'is a header that msgsite sets itself';
  }
  // Any other type than text is the schema's.
  if (typeof value === 'string' && !valuePattern.test(value)) {
    return 'must be ASCII text without line breaks or other control characters';
  }
  return undefined;
}
