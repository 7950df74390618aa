import { isLoopback } from '../base/addresses.js';
import type { Config } from './config.js';
import { minSecretLength } from './readers.js';

type Reach = Pick<Config, 'host' | 'publicUrl' | 'trustedProxies'>;

type Warned = Reach &
  Pick<Config, 'adminToken' | 'provider' | 'jwtSecret' | 'encryptionSecret' | 'sandboxFaults'> & {
    /** True if an admin user exists or has existed, so that the admin page is closed. */
    readonly hasAdmins?: boolean | undefined;
    /** The service that runs alone; both run if absent. */
    readonly only?: 'site' | 'gateway' | undefined;
    /** E-mail addresses of the demonstration's accounts. */
    readonly demoAccounts?: readonly string[] | undefined;
  };

/**
 * Returns warnings about settings that work but are less safe than the operator may believe, each with what to do. A
 * short gateway key is not among them: it is refused when it is read.
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

/** Returns how other machines reach the services: over the network, or through a proxy. */
function wayIn({ host, publicUrl, trustedProxies }: Reach): string | undefined {
  if (!isLoopback(host)) return host;
  if (publicUrl !== undefined && !isLoopback(new URL(publicUrl).hostname)) return publicUrl;
  return trustedProxies.length > 0 ? 'the proxy (MSGSITE_TRUSTED_PROXIES)' : undefined;
}

function openAdmin(config: Warned): string | undefined {
  const isOpen = config.adminToken === undefined && !config.hasAdmins;
  const way = isOpen ? wayIn(config) : undefined;
  if (way === undefined) return undefined;
  return `Everyone who reaches ${way} can use the admin page and its endpoints. Add an admin user (msgsite admins add), or set MSGSITE_ADMIN_TOKEN.`;
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
  return `The payment provider is the sandbox: everyone who reaches ${way} can sign in as a cashier with any phone number and the code 123456. Choose a real provider with --provider.`;
}

function faultySandbox({ provider, sandboxFaults }: Warned): string | undefined {
  if (provider !== 'sandbox' || sandboxFaults.length === 0) return undefined;
  return `The sandbox simulates the faults in MSGSITE_SANDBOX_FAULTS: ${sandboxFaults.join(', ')}.`;
}

function unencryptedProvider({ provider }: Warned): string | undefined {
  if (!provider.startsWith('http:') || isLoopback(new URL(provider).hostname)) return undefined;
  return `Codes and payments are sent to the provider unencrypted (${provider}). Use its https address with --provider.`;
}

function shortTokenSecret({ jwtSecret }: Warned): string | undefined {
  if (!isShort(jwtSecret)) return undefined;
  return `MSGSITE_JWT_SECRET has fewer than ${minSecretLength} characters: anybody with a token can guess the secret and create tokens for every user. Set the output of \`openssl rand -hex 32\`; all users must then sign in again.`;
}

function shortEncryptionSecret({ encryptionSecret }: Warned): string | undefined {
  if (!isShort(encryptionSecret)) return undefined;
  return `MSGSITE_ENCRYPTION_SECRET has fewer than ${minSecretLength} characters: anybody with a copy of the data can guess the secret. Set the output of \`openssl rand -hex 32\` before messages are written; existing messages cannot be read with another secret.`;
}

function isShort(secret: string | undefined): boolean {
  return secret !== undefined && [...secret].length < minSecretLength;
}
