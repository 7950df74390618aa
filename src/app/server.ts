import * as httpValidators from '#validators/http';
import type { Clock } from '../base/clock.js';
import type { Environment } from '../base/environment.js';
import type { Logger } from '../base/log.js';
import { packageFolder, readPackageVersion, readSchema } from '../base/package-files.js';
import type { Config } from '../config/config.js';
import { createApp } from '../http/app.js';
import type { Authenticator } from '../http/endpoint.js';
import type { ErrorShape } from '../http/envelope.js';
import { assertPortsFree } from '../http/free-ports.js';
import { type Listener, openListener } from '../http/listener.js';
import { describeApi } from '../http/openapi.js';
import type { RouteGroup } from '../http/route.js';
import { systemRoutes } from '../http/system-routes.js';
import { openServices, type Services } from './services.js';

export interface ServerOptions {
  readonly config: Config;
  /** For secrets that settings name by their variable. */
  readonly environment: Environment;
  readonly log: Logger;
  readonly clock: Clock;
  /** Only one of the two services; both where absent. */
  readonly only?: 'site' | 'gateway';
  /** Fill an empty data folder with the demonstration content. */
  readonly demo: boolean;
}

/** A server that accepts connections. */
export interface RunningServer {
  /** Address of each service that is served. */
  readonly urls: Readonly<Partial<Record<'site' | 'gateway', string>>>;
  /** Finishes requests in flight, stops background work and writes what is waiting. */
  close(): Promise<void>;
}

/** Opens the services on their storage and one listener each (or one for both, on one port). */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { config, log, clock } = options;
  // A port that is taken must leave no data folder behind, and the listeners need what lies in it.
  await assertPortsFree(config.host, portsOf(options));
  const shutdown = new AbortController();
  const listeners: Listener[] = [];
  const addresses: { site?: string; gateway?: string } = {};
  const services = await openServices({
    ...options,
    shutdown: shutdown.signal,
    publicUrl: () => config.publicUrl ?? addresses.site ?? '',
  });
  async function close(): Promise<void> {
    shutdown.abort();
    await Promise.all(listeners.map((listener) => listener.close()));
    await services.close();
  }
  try {
    for (const plan of planListeners(options, services)) {
      const listener = await open(plan);
      listeners.push(listener);
      for (const name of plan.names) addresses[name] = listener.url;
    }
    await services.start();
    return { urls: addresses, close };
  } catch (error) {
    await close();
    throw error;
  }

  /** Behind a proxy only the site's address is known; the gateway's is wherever its description is. */
  function addressFor(name: 'site' | 'gateway'): string {
    if (config.publicUrl === undefined) return addresses[name] ?? '/';
    return name === 'site' ? config.publicUrl : '/';
  }

  async function open({ names, groups, authenticators, port }: ListenerPlan): Promise<Listener> {
    const errorShape: ErrorShape = names[0];
    const describe = () =>
      describeListener({ names, groups: all, authenticators, url: addressFor(names[0]) });
    const system = systemRoutes({ errorShape, validators: httpValidators, describe });
    const all = [system, ...groups];
    const https = config.publicUrl?.startsWith('https:') ?? false;
    const app = await createApp({
      ...config,
      groups: all,
      authenticators,
      rateLimiter: services.rateLimiter,
      log,
      errorShape,
      boundHost: config.host,
      ownHosts: [...config.hosts, ...hostsOf(config.publicUrl)],
      https,
      ...(names.includes('site') ? { publicFolder: `${packageFolder}public` } : {}),
      shutdown: shutdown.signal,
    });
    return openListener({ app, host: config.host, port, errorShape, clock, log, https });
  }
}

function portsOf({ config, only }: ServerOptions): number[] {
  const ports = { site: config.port, gateway: config.gatewayPort };
  return only ? [ports[only]] : Object.values(ports);
}

interface ListenerPlan {
  /** What it serves; the first one gives failures their shape. */
  readonly names: readonly ['site' | 'gateway', ...('site' | 'gateway')[]];
  readonly groups: readonly RouteGroup[];
  readonly authenticators: Readonly<Record<string, Authenticator>>;
  readonly port: number;
}

function planListeners({ config, only }: ServerOptions, services: Services): ListenerPlan[] {
  const { siteGroups, gatewayGroups, authenticators } = services;
  const site = { names: ['site'], groups: siteGroups, authenticators, port: config.port } as const;
  const gateway = {
    names: ['gateway'],
    groups: gatewayGroups,
    authenticators,
    port: config.gatewayPort,
  } as const;
  if (only) return [only === 'site' ? site : gateway];
  // Port 0 means "any free one", which is never the same one twice.
  if (config.port !== config.gatewayPort || config.port === 0) return [site, gateway];
  return [{ ...site, names: ['site', 'gateway'], groups: [...siteGroups, ...gatewayGroups] }];
}

interface DescribedListener extends Pick<ListenerPlan, 'names' | 'groups' | 'authenticators'> {
  readonly url: string;
}

async function describeListener({ names, groups, authenticators, url }: DescribedListener) {
  const schemaNames = groups.map(({ schema }) => schema);
  const schemas = await Promise.all(schemaNames.map(readSchema));
  const used = new Set(groups.flatMap(({ routes }) => routes.map(({ auth }) => auth)));
  return describeApi({
    title: `msgsite ${names.join(' and ')}`,
    description: titles[names[0]],
    version: await readPackageVersion(),
    serverUrl: url,
    groups,
    authenticators: Object.fromEntries(
      Object.entries(authenticators).filter(([name]) => used.has(name)),
    ),
    schemas: Object.fromEntries(schemaNames.map((name, index) => [name, schemas[index] ?? {}])),
  });
}

const titles = {
  site: 'Messaging and site content.',
  gateway: 'Payment gateway: sign-in, invoices, QR payments, history and refunds.',
} as const;

function hostsOf(address: string | undefined): string[] {
  return address === undefined ? [] : [new URL(address).hostname];
}
