import { isLoopback } from '../base/addresses.js';
import type { Config } from './config.js';
import { shortestSecret } from './readers.js';

type Reach = Pick<Config, 'host' | 'publicUrl' | 'trustedProxies'>;

type Warned = Reach &
  Pick<Config, 'adminToken' | 'provider' | 'jwtSecret' | 'encryptionSecret' | 'sandboxFaults'> & {
    /** The one service that is served; both where absent. */
    readonly only?: 'site' | 'gateway' | undefined;
    /** E-mail addresses of accounts that a demonstration has made. */
    readonly demoAccounts?: readonly string[] | undefined;
  };

/**
 * What works, but not as safely as the operator may believe: a sentence each, with what to do.
 * A gateway key that is too short is refused instead, when its keys are read.
 */
export function warningsAtStart(config: Warned): string[] {
  const ofSite = [
    openAdmin(config),
    openDemo(config),
    shortTokenSecret(config),
    shortEncryptionSecret(config),
  ];
  const ofGateway = [openSandbox(config), faultySandbox(config), unencryptedProvider(config)];
  return [
    ...(config.only === 'gateway' ? [] : ofSite),
    ...(config.only === 'site' ? [] : ofGateway),
  ].filter((warning) => warning !== undefined);
}

/** Where others than this machine reach the services: over the network, or through a proxy in front. */
function wayIn({ host, publicUrl, trustedProxies }: Reach): string | undefined {
  if (!isLoopback(host)) return host;
  if (publicUrl !== undefined && !isLoopback(new URL(publicUrl).hostname)) return publicUrl;
  return trustedProxies.length > 0 ? 'the proxy in front (MSGSITE_TRUSTED_PROXIES)' : undefined;
}

function openAdmin(config: Warned): string | undefined {
  const way = config.adminToken === undefined ? wayIn(config) : undefined;
  if (way === undefined) return undefined;
  return `The admin page and its endpoints are open to everyone who reaches ${way}. Set MSGSITE_ADMIN_TOKEN.`;
}

function openDemo(config: Warned): string | undefined {
  const { demoAccounts = [] } = config;
  const way = demoAccounts.length > 0 ? wayIn(config) : undefined;
  if (way === undefined) return undefined;
  return `Everyone who reaches ${way} can sign in as ${demoAccounts.join(', ')}: the password of the demonstration is public. Delete these accounts (admin page, People; or msgsite users delete), or serve an empty folder without --demo.`;
}

function openSandbox(config: Warned): string | undefined {
  const way = config.provider === 'sandbox' ? wayIn(config) : undefined;
  if (way === undefined) return undefined;
  return `The payment provider is the sandbox: everyone who reaches ${way} signs in as a cashier with any phone number and the code 123456. Name a real provider with --provider.`;
}

function faultySandbox({ provider, sandboxFaults }: Warned): string | undefined {
  if (provider !== 'sandbox' || sandboxFaults.length === 0) return undefined;
  return `The sandbox does wrong what MSGSITE_SANDBOX_FAULTS says: ${sandboxFaults.join(', ')}.`;
}

function unencryptedProvider({ provider }: Warned): string | undefined {
  if (!provider.startsWith('http:') || isLoopback(new URL(provider).hostname)) return undefined;
  return `Codes and payments go to the provider unencrypted (${provider}). Name its https address with --provider.`;
}

function shortTokenSecret({ jwtSecret }: Warned): string | undefined {
  if (!isShort(jwtSecret)) return undefined;
  return `MSGSITE_JWT_SECRET has fewer than ${shortestSecret} characters: whoever has a token can find the secret by trying, and make tokens of everybody. Set one that \`openssl rand -hex 32\` makes; everybody signs in again then.`;
}

function shortEncryptionSecret({ encryptionSecret }: Warned): string | undefined {
  if (!isShort(encryptionSecret)) return undefined;
  return `MSGSITE_ENCRYPTION_SECRET has fewer than ${shortestSecret} characters: whoever takes the data can find the secret by trying. Set one that \`openssl rand -hex 32\` makes before messages are written; those that were cannot be read with another.`;
}

function isShort(secret: string | undefined): boolean {
  return secret !== undefined && [...secret].length < shortestSecret;
}
