import { isLoopback } from '../base/addresses.js';
import type { Config } from './config.js';

export type Reach = Pick<Config, 'host' | 'publicUrl' | 'trustedProxies'>;

/**
 * Where others than this machine reach the services: over the network, or through a proxy in front;
 * undefined where nobody else does.
 */
export function wayIn({ host, publicUrl, trustedProxies }: Reach): string | undefined {
  if (!isLoopback(host)) return host;
  if (publicUrl !== undefined && !isLoopback(new URL(publicUrl).hostname)) return publicUrl;
  return trustedProxies.length > 0 ? 'the proxy in front (MSGSITE_TRUSTED_PROXIES)' : undefined;
}
