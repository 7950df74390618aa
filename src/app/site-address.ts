import type { Config } from '../config/config.js';

/**
 * Where people reach the site, by the settings alone: without a slash at its end. A command that runs beside a
 * server, or before one, knows no more.
 */
export function addressOfSite({
  publicUrl,
  host,
  port,
}: Pick<Config, 'publicUrl' | 'host' | 'port'>): string {
  if (publicUrl !== undefined) return publicUrl;
  const name = isAnywhere(host) ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** Addresses that stand for every one of this machine. */
function isAnywhere(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}
