import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { type RunningServer, startServer } from '../src/app/server.js';
import { AppError, exitCodes } from '../src/base/errors.js';
import { openLog } from '../src/base/open-log.js';
import { warningsAtStart } from '../src/config/start-warnings.js';
import type { Command, CommandContext } from './command.js';
import { configOf, configOptions } from './config-options.js';
import { readChoice } from './flags.js';
import { interruptible } from './interruptible.js';

const services = ['site', 'gateway'] as const;

export const command: Command = {
  description:
    'Serve the site (messaging, site content, pages) and the payment gateway until interrupted.',
  options: [
    ...configOptions('port', 'gatewayPort', 'host', 'data', 'database', 'provider', 'webhooks'),
    ...configOptions('publicUrl', 'metricsPort', 'metricsHost'),
    { flags: '--only <service>', description: 'serve only this service', choices: services },
    { flags: '--demo', description: 'fill an empty data folder with demo content' },
  ],
  examples: [
    { command: 'msgsite serve --demo', description: 'Try the program with demo content' },
    {
      command: 'msgsite serve --only gateway --gateway-port 8081 --data /var/lib/msgsite',
      description: 'Serve only the payment gateway',
    },
  ],
  stopsItself: true,
  async run(context, input) {
    const config = configOf(context, input);
    const { stderr, output, clock, signal } = context;
    const { log, close } = await openLog({
      destination: stderr,
      pretty: Boolean(stderr.isTTY) && !context.env.NO_COLOR,
      level: config.logLevel,
    });
    try {
      const only = readChoice(input, 'only', services);
      const demo = input.options.demo === true;
      const lock = new AbortController();
      const start = startServer({
        config,
        environment: context.env,
        log,
        clock,
        demo,
        onLockLost: () => lock.abort(),
        ...(only ? { only } : {}),
      });
      const server = await interruptible(signal, start).catch(asUnrecoverable);
      for (const warning of warningsAtStart({
        ...config,
        only,
        demoAccounts: server.demo?.emails,
        hasAdmins: server.hasAdmins,
      })) {
        output.warn(warning);
        log.warn(warning);
      }
      announce(context, server, config.publicUrl);
      const ended = AbortSignal.any([signal, lock.signal]);
      if (!ended.aborted) await once(ended, 'abort');
      // A graceful shutdown would write to the folder.
      if (lock.signal.aborted) throw lockLost(config.data);
      log.info('Shutting down after the requests in progress have finished.');
      const late = delay(maxStopTime, false, { ref: false });
      if (!(await Promise.race([server.close().then(() => true), late]))) {
        // All acknowledged data is on disk, so the remaining work may be abandoned.
        log.error('The shutdown took too long. Exiting with unfinished work.');
      }
    } finally {
      await close();
    }
  },
};

function lockLost(folder: string): AppError {
  return new AppError(
    'data_in_use',
    `Another process took over the data folder ${folder} while this one was suspended.`,
    { hint: 'Nothing was lost. Run only one msgsite serve per data folder.' },
  );
}

/** Changes the exit code for damaged data to 2, because supervisors restart the program after any other code. */
function asUnrecoverable(error: unknown): never {
  if (!(error instanceof AppError) || error.code !== 'data_damaged') throw error;
  const { message, details, hint, cause } = error;
  const options = { ...(details ? { details } : {}), ...(hint ? { hint } : {}) };
  throw new AppError('data_damaged', message, { ...options, cause, exitCode: exitCodes.usage });
}

/** Maximum duration of a shutdown, in milliseconds. Supervisors usually send SIGKILL after 10 seconds. */
const maxStopTime = 9_500;

/** Prints the addresses. The site's address is the public one, which differs from the listener's behind a proxy. */
function announce(
  { output }: CommandContext,
  { urls, demo }: RunningServer,
  publicUrl: string | undefined,
): void {
  const { bold, cyan, dim } = output.colors;
  const line = (name: string, url: string) => `${bold(name.padEnd(9))}${cyan(url)}`;
  const site = urls.site && (publicUrl ?? urls.site);
  const isBehind = site !== undefined && site !== urls.site;
  const lines = Object.entries({ ...urls, ...(site ? { site } : {}) }).map(([name, url]) =>
    line(name, url),
  );
  if (site) lines.push(line('chat', `${site}/chat.html`), line('admin', `${site}/admin.html`));
  if (isBehind) lines.push(dim(`The site listens on ${urls.site}.`));
  const { emails, password } = demo?.isNew ? demo : { emails: [], password: '' };
  if (emails.length > 0) {
    lines.push(`Chat accounts: ${emails.join(', ')}; password: ${bold(password)}`);
  }
  const result = {
    ...(isBehind ? { publicUrl: site } : {}),
    ...urls,
    ...(emails.length > 0 ? { demoEmails: emails, demoPassword: password } : {}),
  };
  output.result(result, () => [...lines, dim('Press Ctrl+C to stop.')].join('\n'));
}
