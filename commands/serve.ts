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
    { flags: '--only <service>', description: 'serve only one', choices: services },
    { flags: '--demo', description: 'fill an empty data folder with demonstration content' },
  ],
  examples: [
    { command: 'msgsite serve --demo', description: 'Try it with demonstration content' },
    {
      command: 'msgsite serve --only gateway --gateway-port 8081 --data /var/lib/msgsite',
      description: 'Serve the payment gateway alone',
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
      })) {
        output.warn(warning);
        log.warn(warning);
      }
      announce(context, server, config.publicUrl);
      const ended = AbortSignal.any([signal, lock.signal]);
      if (!ended.aborted) await once(ended, 'abort');
      // Stopping in an orderly way would write to the folder.
      if (lock.signal.aborted) throw lockLost(config.data);
      log.info('Stopping: requests in flight are finished first.');
      const late = delay(longestStop, false, { ref: false });
      if (!(await Promise.race([server.close().then(() => true), late]))) {
        // What was acknowledged is on disk; whatever still waits may be cut off.
        log.error('Stopping took too long: what is left is cut off.');
      }
    } finally {
      await close();
    }
  },
};

function lockLost(folder: string): AppError {
  return new AppError(
    'data_in_use',
    `Another process has taken the data directory ${folder} while this one was suspended.`,
    { hint: 'Nothing was lost. Start only one msgsite serve for a data directory.' },
  );
}

/** Damage does not go away by starting again, which supervisors do after any exit code but 2. */
function asUnrecoverable(error: unknown): never {
  if (!(error instanceof AppError) || error.code !== 'data_damaged') throw error;
  const { message, details, hint, cause } = error;
  const told = { ...(details ? { details } : {}), ...(hint ? { hint } : {}) };
  throw new AppError('data_damaged', message, { ...told, cause, exitCode: exitCodes.usage });
}

/** Milliseconds for stopping; a supervisor sends SIGKILL, usually after 10 s. */
const longestStop = 9_500;

/** Where it is: first the address that others are to use, behind a proxy another than the one listened on. */
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
    lines.push(`The chat’s people: ${emails.join(', ')}; the password of each: ${bold(password)}`);
  }
  const told = {
    ...(isBehind ? { publicUrl: site } : {}),
    ...urls,
    ...(emails.length > 0 ? { demoEmails: emails, demoPassword: password } : {}),
  };
  output.result(told, () => [...lines, dim('Ctrl+C stops it.')].join('\n'));
}
