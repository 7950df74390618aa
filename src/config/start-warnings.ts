import { isLoopback } from '../base/addresses.js';
import type { Config } from './config.js';
import { minSecretLength } from './readers.js';

type Reach = Pick<Config, 'host' | 'publicUrl' | 'trustedProxies'>;

type Warned = Reach &
  Pick<Config, 'adminToken' | 'provider' | 'jwtSecret' | 'encryptionSecret' | 'sandboxFaults'> & {
    /** True if an admin user exists or has existed, so that the admin page is closed. */
    readonly hasAdmins?: boolean | undefined;
    /** The only service that runs. By default, both run. */
    readonly only?: 'site' | 'gateway' | undefined;
    /** E-mail addresses of the demonstration accounts. */
    readonly demoAccounts?: readonly string[] | undefined;
  };

/**
 * Returns warnings about settings that work but may be less safe than the operator expects. Each warning includes
 * advice. A short gateway key causes an error instead.
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

/** Returns the address or proxy through which other machines reach the services, or undefined if none can. */
function externalAccess({ host, publicUrl, trustedProxies }: Reach): string | undefined {
  if (!isLoopback(host)) return host;
  if (publicUrl !== undefined && !isLoopback(new URL(publicUrl).hostname)) return publicUrl;
  return trustedProxies.length > 0 ? 'the proxy (MSGSITE_TRUSTED_PROXIES)' : undefined;
}

function openAdmin(config: Warned): string | undefined {
  const isOpen = config.adminToken === undefined && !config.hasAdmins;
  const access = isOpen ? externalAccess(config) : undefined;
  if (access === undefined) return undefined;
  return `Anyone who can reach ${access} can use the admin page and its endpoints. Add an admin user (msgsite admins add), or set MSGSITE_ADMIN_TOKEN.`;
}

function openDemo(config: Warned): string | undefined {
  const { demoAccounts = [] } = config;
  const access = demoAccounts.length > 0 ? externalAccess(config) : undefined;
  if (access === undefined) return undefined;
  return `Anyone who can reach ${access} can sign in as ${demoAccounts.join(', ')}, because the demonstration password is public. Delete these accounts (admin page, People; or msgsite users delete), or serve an empty folder without --demo.`;
}

function openSandbox(config: Warned): string | undefined {
  const access = config.provider === 'sandbox' ? externalAccess(config) : undefined;
  if (access === undefined) return undefined;
  return `The payment provider is the sandbox. Anyone who can reach ${access} can sign in as a cashier with any phone number and the code 123456. Choose a real provider with --provider.`;
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
  return `MSGSITE_JWT_SECRET has fewer than ${minSecretLength} characters: anyone with a token can guess the secret and create tokens for every user. Set the output of \`openssl rand -hex 32\`; all users must then sign in again.`;
}

function shortEncryptionSecret({ encryptionSecret }: Warned): string | undefined {
  if (!isShort(encryptionSecret)) return undefined;
  return `MSGSITE_ENCRYPTION_SECRET has fewer than ${minSecretLength} characters: anyone with a copy of the data can guess the secret. Set the output of \`openssl rand -hex 32\` before messages are written. Existing messages cannot be read with a different secret.`;
}

function isShort(secret: string | undefined): boolean {
  return secret !== undefined && [...secret].length < minSecretLength;
}
