import type { Config } from '../config.js';
import { isLoopback } from '../http/host-guard.js';

type Reach = Pick<Config, 'adminToken' | 'host' | 'publicUrl' | 'trustedProxies'>;

/**
 * What the operator should know where the admin endpoints need no token and others than this machine
 * can reach them: over the network, or through a proxy in front; undefined otherwise. Pure.
 */
export function warnOfOpenAdmin(config: Reach): string | undefined {
  const way = config.adminToken === undefined ? wayIn(config) : undefined;
  if (way === undefined) return undefined;
  return `The admin page and its endpoints are open to everyone who reaches ${way}. Set MSGSITE_ADMIN_TOKEN.`;
}

function wayIn({ host, publicUrl, trustedProxies }: Reach): string | undefined {
  if (!isLoopback(host)) return host;
  if (publicUrl !== undefined && !isLoopback(new URL(publicUrl).hostname)) return publicUrl;
  return trustedProxies.length > 0 ? 'the proxy in front (MSGSITE_TRUSTED_PROXIES)' : undefined;
}
