import { AppError } from '../base/errors.js';
import { assertPortsFree, type Listener } from '../http/listener/listener.js';
import { metricsPath, openMetricsListener } from '../http/metrics/metrics-listener.js';
import type { Measurement, Metrics } from './metrics.js';
import type { ServiceOptions } from './services.js';

/**
 * The metrics of a server, where the settings ask for some; what makes them is loaded only then. Throws `configuration`
 * where the port cannot be listened on, or is one of `others`.
 */
export async function createMetricsFor(
  { config: { metricsPort, metricsHost } }: Pick<ServiceOptions, 'config'>,
  others: readonly number[],
): Promise<Metrics | undefined> {
  if (metricsPort === undefined) return undefined;
  if (metricsPort !== 0 && others.includes(metricsPort)) {
    throw new AppError('configuration', `Port ${metricsPort} is to be for the metrics alone.`, {
      hint: 'Choose another one with --metrics-port; 0 picks a free one.',
    });
  }
  await assertPortsFree(metricsHost, [metricsPort]);
  const { createMetrics } = await import('./metrics.js');
  return createMetrics();
}

/** Opens a listener whose `url` answers with the metrics. */
export async function listenForScrapes(
  { config, clock, log }: Pick<ServiceOptions, 'config' | 'clock' | 'log'>,
  { contentType, read }: Measurement,
): Promise<Listener> {
  const { metricsHost: host, metricsPort: port = 0, hosts: ownHosts } = config;
  const listener = await openMetricsListener({
    host,
    port,
    ownHosts,
    clock,
    log,
    contentType,
    read,
  });
  return { ...listener, url: `${listener.url}${metricsPath}` };
}
