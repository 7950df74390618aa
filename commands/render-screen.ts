import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { AppError } from '../src/base/errors.js';
import { isStandardOutput, writeOutputFile } from '../src/base/files/output-file.js';
import { escapeForeign } from '../src/base/foreign-text.js';
import { readDefinitionFile } from '../src/screens/definition/definition-file.js';
import { renderScreen } from '../src/screens/render/render-screen.js';
import type { Command } from './command.js';
import { maxSizeOption, readMaxSize } from './flags.js';
import { definitionNamed, localeOf, localeOption } from './screen-options.js';

export const command: Command = {
  description:
    'Render a screen definition as one HTML file that works offline, prints well and is readable without JavaScript.',
  arguments: [{ name: '<file>', description: 'the screen definition, or - for stdin' }],
  options: [
    {
      flags: '-o, --output <file>',
      description: 'file to write, or - for stdout (default: stdout)',
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
      description: 'Write the page with its interface in Kazakh',
    },
  ],
  async run(context, { arguments: [file], options }) {
    const { cwd, stdin, output, signal } = context;
    const maxBytes = readMaxSize(options.maxSize);
    const locale = localeOf({ options });
    const source = definitionNamed(file);
    const name = typeof options.output === 'string' ? options.output : '-';
    const target = resolve(cwd, name);
    const isToFile = !(await isStandardOutput(cwd, name));
    if (isToFile && source !== '-') await assertApart(cwd, source, target);
    const definition = await readDefinitionFile(source, { cwd, stdin, maxBytes, signal });
    const page = renderScreen(definition, { locale });
    // Nothing but the page may be written to standard output.
    if (!isToFile) {
      if (output.json) output.result({ html: page }, () => '');
      else output.write(page);
      return undefined;
    }
    await writeOutputFile(target, page, { streams: context, signal });
    const bytes = Buffer.byteLength(page);
    output.result(
      { file: target, bytes },
      () => `${escapeForeign(name)} (${Math.ceil(bytes / 1024)} KB)`,
    );
  },
};

/** Throws `usage` if the page would overwrite its definition. */
async function assertApart(folder: string, source: string, target: string): Promise<void> {
  const [from, to] = await Promise.all([resolve(folder, source), target].map(realPathOf));
  if (from === undefined || from !== to) return;
  throw new AppError(
    'usage',
    `The page would overwrite its definition, ${escapeForeign(source)}.`,
    {
      hint: 'Choose a different file with -o.',
    },
  );
}

/** Returns the path without symbolic links, or undefined if it does not exist. */
async function realPathOf(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined);
}
