import { once } from 'node:events';
import { openSandbox } from '../src/app/data-folder.js';
import { assertPortsFree } from '../src/http/listener/listener.js';
import { readFaults } from '../src/payments/providers/sandbox/fault.js';
import { describeFaults } from '../src/payments/providers/sandbox/fault-list.js';
import { createSandbox } from '../src/payments/providers/sandbox/sandbox.js';
import { openSandboxServer } from '../src/payments/providers/sandbox/server.js';
import type { Command, CommandContext, CommandInput } from './command.js';
import { configOf, configOptions } from './config-options.js';
import { interruptible } from './interruptible.js';

const faultForm =
  'NAME[=VALUE][@OPERATION][xCOUNT], such as late=15@qr/create or "lost x1". An operation is a path of the protocol, or part of a path: @refunds, @create, @status.';

/** The site uses 3000 and the gateway 3001. */
const defaultPort = '3002';

export const command: Command = {
  description:
    'Serve the sandbox payment provider over the provider protocol, for a gateway that is started with --provider and this address. The amount of a payment determines its outcome. Every phone signs in with the code 123456.',
  options: [
    {
      flags: '-p, --port <number>',
      description: `port (default ${defaultPort}; 0 = any free port)`,
    },
    ...configOptions('host', 'data'),
    {
      flags: '--fault <fault>',
      description:
        'simulate a fault, NAME[=VALUE][@OPERATION][xCOUNT]; "list" lists all faults (repeatable)',
      repeatable: true,
    },
  ],
  examples: [
    { command: 'msgsite sandbox', description: 'Serve the sandbox on port 3002' },
    {
      command: 'MSGSITE_SANDBOX_SPEED=10 msgsite sandbox --port 0 --data /tmp/bank --json',
      description: 'Run ten times faster, on any free port, with a separate folder',
    },
    {
      command: 'msgsite sandbox --fault late=15@qr/create --fault "lost x1"',
      description: 'Delay QR codes by 15 seconds and lose the first response',
    },
    { command: 'msgsite sandbox --fault list', description: 'List all faults' },
  ],
  stopsItself: true,
  async run(context, input) {
    const { output, signal } = context;
    if (faultsOf(input).includes('list')) return listFaults(context);
    const { url, faults, close } = await interruptible(signal, start(context, input));
    const { bold, cyan, dim, yellow } = output.colors;
    const faultLines = faults.map((fault) => `${bold('fault')}    ${yellow(fault)}`);
    output.result({ url, ...(faultLines.length > 0 ? { faults } : {}) }, () =>
      [`${bold('sandbox')}  ${cyan(url)}`, ...faultLines, dim('Press Ctrl+C to stop.')].join('\n'),
    );
    if (!signal.aborted) await once(signal, 'abort');
    await close();
  },
};

function faultsOf({ options }: CommandInput): readonly string[] {
  return Array.isArray(options.fault) ? options.fault : [];
}

function listFaults({ output }: CommandContext): undefined {
  const faults = describeFaults();
  output.result({ faults }, () => {
    const width = Math.max(...faults.map(({ fault }) => fault.length));
    const rows = faults.map(({ fault, does }) => `${fault.padEnd(width)}  ${does}`);
    return [...rows, '', output.colors.dim(faultForm)].join('\n');
  });
}

async function start(context: CommandContext, input: CommandInput) {
  const { options } = input;
  const { clock, env } = context;
  const port = options.port ?? (env.MSGSITE_PORT || defaultPort);
  const config = configOf(context, { options: { ...options, port } });
  const faults = [...config.sandboxFaults, ...faultsOf(input)];
  readFaults(faults); // Rejects invalid faults before anything is opened.
  await assertPortsFree(config.host, [config.port]);
  const { host, sandboxSpeed: speed, providerZone: zone } = config;
  const store = await openSandbox(config, { clock, label: 'sandbox' });
  const sandbox = createSandbox({ store, clock, speed, zone, faults });
  const server = await openSandboxServer({ sandbox, host, port: config.port, clock });
  return { ...server, faults: sandbox.control.faults.list() };
}
