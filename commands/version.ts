import { readPackageVersion } from '../src/base/package-files.js';
import type { Command } from './command.js';

export const command: Command = {
  description: 'Print the version of the program; with --json that of Node.js, too.',
  examples: [
    { command: 'msgsite version', description: 'Which one is it?' },
    { command: 'msgsite version --json', description: 'For a bug report' },
  ],
  async run({ output }) {
    const version = await readPackageVersion();
    output.result({ name: 'msgsite', version, node: process.versions.node }, () => version);
    return undefined;
  },
};
