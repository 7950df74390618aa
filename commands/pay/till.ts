import { AppError } from '../../src/base/errors.js';
import type { Command } from '../command.js';
import { plainOption } from './flags.js';
import { payOptions, withPay } from './pay-context.js';
import { runTill } from './till/run-till.js';

export const command: Command = {
  description:
    'One screen for a whole shift: an amount and Enter show its code, Enter after the result begins the next sale. Invoices, refunds, the history, the totals of today and signing in are one key away. Ctrl+C leaves (exit code 130) and lists what is still open.',
  options: [plainOption, ...payOptions],
  examples: [
    { command: 'msgsite pay till', description: 'Work a shift' },
    { command: 'msgsite pay till --plain', description: 'The same, read out line by line' },
  ],
  async run(context, input) {
    if (context.output.json) {
      throw new AppError('usage', '--json is not for pay till, which is for people.', {
        hint: 'Scripts use msgsite pay qr, msgsite pay invoice and msgsite pay wait.',
      });
    }
    if (!context.stdin.isTTY || !context.stdout.isTTY) {
      throw new AppError(
        'usage',
        'pay till needs a terminal to show itself on and to be typed at.',
        {
          hint: 'Without one, use msgsite pay qr, msgsite pay invoice and msgsite pay wait.',
        },
      );
    }
    return withPay(context, input, runTill);
  },
};
