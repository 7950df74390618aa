import Koa from 'koa';
import type { Clock } from '../../base/clock.js';
import type { Logger } from '../../base/log.js';
import { errorEnvelope } from '../answer/envelope.js';
import { securityHeaders } from '../answer/security-headers.js';
import { createSender, sendAnswers } from '../answer/send.js';
import { type Listener, openListener } from '../listener/listener.js';
import { createClientAddresses } from '../request/client-address.js';
import { hostGuard, readTarget } from '../request/host-guard.js';

export interface MetricsListenerOptions {
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  /** Further host names that requests may use. */
  readonly ownHosts: readonly string[];
  readonly clock: Clock;
  readonly log: Logger;
  /** The Content-Type of the metrics. */
  readonly contentType: string;
  /** Returns the metrics as text. */
  read(): Promise<string>;
}

/** Maximum number of simultaneous connections to the metrics listener. */
const maxConnections = 64;

const metricsPath = '/metrics';

/** Opens a separate listener that serves the metrics at its `url`. Its requests are not logged. */
export async function openMetricsListener(options: MetricsListenerOptions): Promise<Listener> {
  const { host, port, ownHosts, clock, log, contentType, read } = options;
  const errorShape = 'gateway';
  const sender = createSender();
  const app = new Koa();
  app.use(sendAnswers());
  app.use(readTarget);
  app.use(securityHeaders({ https: false, addresses: createClientAddresses([]) }));
  app.use(errorEnvelope({ errorShape, log, sender }));
  app.use(hostGuard(host, ownHosts));
  app.use(async function answerMetrics(ctx) {
    if (ctx.path !== metricsPath) return;
    ctx.state.allowedMethods = ['GET', 'HEAD'];
    if (!ctx.state.allowedMethods.includes(ctx.method)) return;
    const headers = { 'Content-Type': contentType };
    await sender.reply(ctx, { status: 200, content: await read(), headers });
  });
  app.silent = true;
  const limits = { connections: maxConnections };
  const bound = { host, port, errorShape, clock, log, https: false, limits } as const;
  const listener = await openListener({ app, ...bound });
  return { ...listener, url: `${listener.url}${metricsPath}` };
}
