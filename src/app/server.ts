import { AppError } from '../base/errors.js';
import { packageFolder, readExamples, readSchema } from '../base/package-files.js';
import type { ErrorShape } from '../http/answer/envelope.js';
import { createApp } from '../http/app.js';
import { assertPortsFree, type Listener, openListener } from '../http/listener/listener.js';
import { openMetricsListener } from '../http/metrics/metrics-listener.js';
import type { Authenticator } from '../http/route/endpoint.js';
import { describeApi, type SchemaFile } from '../http/route/openapi.js';
import type { RouteGroup } from '../http/route/route.js';
import { systemRoutes } from '../http/route/system-routes.js';
import { webhookEvents } from '../webhooks/describe-events.js';
import type { DemoAccounts } from './demo-chat.js';
import { createMetrics, type Metrics } from './metrics.js';
import { openServices, type ServiceOptions, type Services } from './services.js';

export type ServerOptions = Omit<
  ServiceOptions,
  'shutdown' | 'publicUrl' | 'onStorageFailure' | 'onSessionEnded' | 'onPaymentCorrected'
>;

/** A server that accepts connections. */
export interface RunningServer {
  /** Addresses of the services and of the metrics. */
  readonly urls: Readonly<Partial<Record<'site' | 'gateway' | 'metrics', string>>>;
  /** The demonstration accounts, if there are any. */
  readonly demo: DemoAccounts | undefined;
  /** True if an admin user exists or has existed. */
  readonly hasAdmins: boolean;
  /** Finishes requests in progress, stops background work and writes pending data. */
  close(): Promise<void>;
}

/** Opens the services on their storage, and a listener for each, or one for both if they have the same port. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { config, log, clock } = options;
  // Checked first, so that a taken port leaves no data folder behind.
  await assertPortsFree(config.host, portsOf(options));
  const metrics = await createMetricsFor(options, portsOf(options));
  const shutdown = new AbortController();
  const listeners: Listener[] = [];
  const addresses: { site?: string; gateway?: string; metrics?: string } = {};
  const services = await openServices({
    ...options,
    shutdown: shutdown.signal,
    publicUrl: () => config.publicUrl ?? addresses.site ?? '',
    onStorageFailure: metrics?.storageFailed,
    onSessionEnded: metrics?.sessionEnded,
    onPaymentCorrected: metrics?.paymentCorrected,
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
    if (metrics) {
      const listener = await openMetricsListener({
        ...{ host: config.metricsHost, port: config.metricsPort ?? 0, ownHosts: config.hosts },
        ...{ clock, log, ...metrics.measure(services.measured()) },
      });
      listeners.push(listener);
      addresses.metrics = listener.url;
    }
    await services.start();
    return { urls: addresses, demo: services.demo, hasAdmins: services.hasAdmins, close };
  } catch (error) {
    await close();
    throw error;
  }

  /**
   * Returns the address of a service for its API description. Behind a proxy, only the site's address is known. The
   * gateway then uses `/`, which is relative to the description.
   */
  function addressFor(name: 'site' | 'gateway'): string {
    if (config.publicUrl === undefined) return addresses[name] ?? '/';
    return name === 'site' ? config.publicUrl : '/';
  }

  async function open({ names, groups, authenticators, port }: ListenerPlan): Promise<Listener> {
    const errorShape: ErrorShape = names[0];
    const describe = () =>
      describeListener({ names, groups: all, authenticators }, addressFor(errorShape));
    const system = systemRoutes({ errorShape, describe, assertReady: services.assertReady });
    const all = [system, ...groups];
    const { host, hosts, publicUrl } = config;
    const isSite = names.includes('site');
    const observe = metrics?.observe(names.join(' and '));
    const https = publicUrl?.startsWith('https:') ?? false;
    const app = await createApp({
      ...config,
      groups: all,
      authenticators,
      rateLimiter: services.rateLimiter,
      log,
      errorShape,
      boundHost: host,
      ownHosts: publicUrl === undefined ? hosts : [...hosts, new URL(publicUrl).hostname],
      https,
      failurePage: isSite ? services.failurePage : undefined,
      publicFolder: isSite ? `${packageFolder}public` : undefined,
      observe,
      shutdown: shutdown.signal,
    });
    return openListener({ app, host, port, errorShape, clock, log, https, observe });
  }
}

function portsOf({ config, only }: ServerOptions): number[] {
  const ports = { site: config.port, gateway: config.gatewayPort };
  return only ? [ports[only]] : Object.values(ports);
}

interface ListenerPlan {
  /** The services of the listener. The first one determines the shape of errors. */
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
  // Port 0 selects a free port, which is different for each listener.
  if (config.port !== config.gatewayPort || config.port === 0) return [site, gateway];
  return [{ ...site, names: ['site', 'gateway'], groups: [...siteGroups, ...gatewayGroups] }];
}

async function describeListener(
  { names, groups, authenticators }: Omit<ListenerPlan, 'port'>,
  serverUrl: string,
) {
  const webhooks = names.includes('gateway') ? webhookEvents : undefined;
  const files = new Set([
    ...groups.map(({ schema }) => schema),
    ...(webhooks ? [webhooks.schema] : []),
  ]);
  const used = new Set(groups.flatMap(({ routes }) => routes.map(({ auth }) => auth)));
  return describeApi({
    title: `msgsite ${names.join(' and ')}`,
    description: titles[names[0]],
    version: interfaceVersion,
    serverUrl,
    groups,
    authenticators: Object.fromEntries(
      Object.entries(authenticators).filter(([name]) => used.has(name)),
    ),
    schemas: Object.fromEntries(await Promise.all([...files].map(readSchemaFile))),
    ...(webhooks ? { webhooks } : {}),
  });
}

async function readSchemaFile(name: string): Promise<[string, SchemaFile]> {
  return [name, { ...(await readSchema(name)), examples: await readExamples(name) }];
}

/** The version of the HTTP APIs, which is independent of the program's version. */
const interfaceVersion = '1.0.0';

const titles = {
  site: 'Messaging and site content.',
  gateway: 'Payment gateway: sign-in, invoices, QR payments, history and refunds.',
} as const;

/** Creates the metrics if they are enabled. Throws `configuration` if the port cannot be used or is one of `others`. */
async function createMetricsFor(
  { config: { metricsPort, metricsHost } }: Pick<ServiceOptions, 'config'>,
  others: readonly number[],
): Promise<Metrics | undefined> {
  if (metricsPort === undefined) return undefined;
  if (metricsPort !== 0 && others.includes(metricsPort)) {
    throw new AppError('configuration', `Port ${metricsPort} is already used by a service.`, {
      hint: 'Choose another port with --metrics-port; 0 selects a free port.',
    });
  }
  await assertPortsFree(metricsHost, [metricsPort]);
  return createMetrics();
}
