import { resolve } from 'node:path';
import { isStandardOutput, writeOutputFile } from '../src/base/files/output-file.js';
import { escapeForeign } from '../src/base/foreign-text.js';
import { readDefinitionFile } from '../src/screens/definition/definition-file.js';
import { renderScreen } from '../src/screens/render/render-screen.js';
import type { Command } from './command.js';
import { maxSizeOption, readMaxSize } from './max-size.js';
import { localeOf, localeOption } from './screen-options.js';

export const command: Command = {
  description:
    'Writes the page of a screen definition: one HTML file that works offline, prints, and can be read without JavaScript.',
  arguments: [{ name: '<file>', description: 'screen definition, or - for stdin' }],
  options: [
    {
      flags: '-o, --output <file>',
      description: 'file to write; without it the page goes to stdout',
    },
    localeOption,
    maxSizeOption,
  ],
  examples: [
    {
      command: 'msgsite render-screen contracts.screen.json -o contracts.html',
      description: 'Write the page to a file',
    },
    {
      command: 'msgsite render-screen contracts.screen.json --locale kk > contracts.html',
      description: 'The same with the runtime’s own words in Kazakh',
    },
  ],
  async run(context, { arguments: [file], options }) {
    const { cwd, stdin, output, signal } = context;
    const mostBytes = readMaxSize(options.maxSize);
    const locale = localeOf({ options });
    const definition = await readDefinitionFile(String(file), { cwd, stdin, mostBytes, signal });
    const page = renderScreen(definition, { locale });
    const target = typeof options.output === 'string' ? resolve(cwd, options.output) : undefined;
    // Nothing but the page belongs there.
    if (target === undefined || (await isStandardOutput(target))) {
      if (output.json) output.result({ html: page }, () => '');
      else output.write(page);
      return undefined;
    }
    await writeOutputFile(target, page, { streams: context, signal });
    const bytes = Buffer.byteLength(page);
    output.result(
      { file: target, bytes },
      () => `${escapeForeign(String(options.output))} (${Math.ceil(bytes / 1024)} KB)`,
    );
  },
};
