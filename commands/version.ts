import { readFileSync } from 'node:fs';

/** The version of this package, from its manifest. */
export function packageVersion(): string {
  // The same relative place from commands/ (sources) and from dist/commands/ is two levels apart.
  for (const place of ['../package.json', '../../package.json']) {
    const version = readVersion(new URL(place, import.meta.url));
    if (version) return version;
  }
  return 'unknown';
}

function readVersion(file: URL): string | undefined {
  try {
    const manifest: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const { name, version } = manifest as { name?: unknown; version?: unknown };
    return name === 'msgsite' && typeof version === 'string' ? version : undefined;
  } catch {
    return undefined;
  }
}
