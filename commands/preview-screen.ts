import { resolve } from 'node:path';
import { AppError } from '../src/base/errors.js';
import { UnreadableInput, unreadable } from '../src/base/files/input-file.js';
import { loadConfig } from '../src/screens/check/config.js';
import { startPreview } from '../src/screens/preview/server.js';
import type { Command } from './command.js';
import { maxSizeOption, readMaxSize } from './flags.js';
import { definitionNamed, localeOf, localeOption } from './screen-options.js';

export const command: Command = {
  description:
    'Serves the page of a screen definition on this machine, shows what the linter finds at the place it concerns, and reloads when the file changes. Archetype, width, theme and locale can be switched.',
  arguments: [{ name: '<file>', description: 'screen definition' }],
  options: [
    { flags: '-p, --port <number>', description: 'port to listen on (default: a free one)' },
    localeOption,
    maxSizeOption,
  ],
  examples: [
    {
      command: 'msgsite preview-screen contracts.screen.json',
      description: 'Look at a screen while you write it',
    },
  ],
  async run({ cwd, output, clock, signal }, { arguments: [argument], options }) {
    const file = definitionNamed(argument);
    const config = await loadConfig(cwd);
    const preview = await startPreview({
      file: resolve(cwd, file),
      port: portOf(options.port),
      locale: localeOf({ options }),
      lint: { severities: config?.config.severities ?? {} },
      mostBytes: readMaxSize(options.maxSize),
      clock,
      signal,
    }).catch((error: unknown) => {
      throw error instanceof UnreadableInput ? unreadable(file, error) : error;
    });
    output.line({ listening: preview.url }, () => preview.url);
    output.note(output.messageColors.dim('Ctrl+C stops it.'));
    await preview.ended;
  },
};

function portOf(value: unknown): number {
  if (value === undefined) return 0;
  const port = Number(value);
  if (/^\d+$/.test(String(value)) && port <= 65_535) return port;
  throw new AppError('usage', `--port takes a number from 0 to 65535, not ${String(value)}.`);
}
