import { generateSecret, secretBytes } from '../../src/webhooks/signature.js';
import type { Command } from '../command.js';
import { readNumber } from '../flags.js';

const { initial, from, to } = secretBytes;

export const command: Command = {
  description:
    'Generate and print a signing secret for webhooks.json (or the environment) and the receiver. It is not stored.',
  options: [
    {
      flags: '--bytes <n>',
      description: `number of random bytes, ${from} to ${to} (default ${initial})`,
    },
  ],
  examples: [
    { command: 'msgsite webhooks secret', description: 'Generate a secret for a receiver' },
  ],
  async run({ output }, input) {
    const secret = generateSecret(readNumber(input, 'bytes', secretBytes));
    output.result({ secret }, () => secret);
    return undefined;
  },
};
