import { once } from 'node:events';
import { join } from 'node:path';
import * as validators from '#validators/provider-protocol';
import { readConfig } from '../src/config.js';
import { createSandbox } from '../src/payments/providers/sandbox/sandbox.js';
import { openSandboxServer } from '../src/payments/providers/sandbox/server.js';
import type { Command, CommandContext, CommandInput } from './command.js';
import { configOptions } from './config-options.js';

/** Beside the site's 3000 and the gateway's 3001. */
const defaultPort = '3002';

export const command: Command = {
  description:
    'Serve the sandbox payment provider over the provider protocol, for a gateway started with --provider and this address. The amount of a payment decides what becomes of it; any phone signs in with the code 123456.',
  options: [
    { flags: '-p, --port <number>', description: `port (default ${defaultPort}, 0 = any free)` },
    ...configOptions('host', 'data'),
  ],
  examples: [
    { command: 'msgsite sandbox', description: 'Serve it on port 3002' },
    {
      command: 'MSGSITE_SANDBOX_SPEED=10 msgsite sandbox --port 0 --data /tmp/bank --json',
      description: 'Ten times faster, on any free port, in a folder of its own',
    },
  ],
  async run({ clock, cwd, env, output, signal }: CommandContext, { options }: CommandInput) {
    const flags = { ...options, port: options.port ?? (env.MSGSITE_PORT || defaultPort) };
    const { data, host, port, providerZone, sandboxSpeed } = readConfig({ flags, env, cwd });
    const folder = join(data, 'sandbox');
    const sandbox = await createSandbox({ folder, clock, speed: sandboxSpeed, zone: providerZone });
    const { url, close } = await openSandboxServer({ sandbox, host, port, clock, validators });
    const { bold, cyan, dim } = output.colors;
    output.result({ url }, () =>
      [`${bold('sandbox')}  ${cyan(url)}`, dim('Ctrl+C stops it.')].join('\n'),
    );
    if (!signal.aborted) await once(signal, 'abort');
    await close();
    return 0;
  },
};
