import { resolve } from 'node:path';
import { UnreadableInput, unreadable } from '../src/base/files/input-file.js';
import { loadConfig } from '../src/screens/check/config.js';
import { startPreview } from '../src/screens/preview/server.js';
import type { Command } from './command.js';
import { maxSizeOption, readMaxSize, readNumber } from './flags.js';
import { definitionNamed, localeOf, localeOption } from './screen-options.js';

export const command: Command = {
  description:
    'Serve the page of a screen definition on this machine, outline the parts that the linter reports, and reload when the file changes. You can switch archetype, width, theme and locale.',
  arguments: [{ name: '<file>', description: 'the screen definition' }],
  options: [
    { flags: '-p, --port <number>', description: 'port to listen on (default: a free port)' },
    localeOption,
    maxSizeOption,
  ],
  examples: [
    {
      command: 'msgsite preview-screen contracts.screen.json',
      description: 'View a screen while you write it',
    },
  ],
  async run({ cwd, output, clock, signal }, input) {
    const file = definitionNamed(input.arguments[0]);
    const config = await loadConfig(cwd);
    const preview = await startPreview({
      file: resolve(cwd, file),
      port: readNumber(input, 'port', { initial: 0, from: 0, to: 65_535 }),
      locale: localeOf(input),
      lint: { severities: config?.config.severities ?? {} },
      maxBytes: readMaxSize(input.options.maxSize),
      clock,
      signal,
    }).catch((error: unknown) => {
      throw error instanceof UnreadableInput ? unreadable(file, error) : error;
    });
    output.line({ listening: preview.url }, () => preview.url);
    output.note(output.messageColors.dim('Press Ctrl+C to stop.'));
    await preview.ended;
  },
};
