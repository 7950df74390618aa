import { readPackageVersion } from '../src/base/package-files.js';
import type { Command } from './command.js';

export const command: Command = {
  description: 'Print the version of the program. With --json, also print the version of Node.js.',
  examples: [
    { command: 'msgsite version', description: 'Print the version' },
    { command: 'msgsite version --json', description: 'Print all versions for a bug report' },
  ],
  async run({ output }) {
    const version = await readPackageVersion();
    output.result({ name: 'msgsite', version, node: process.versions.node }, () => version);
    return undefined;
  },
};
