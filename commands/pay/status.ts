import { exitCodes } from '../../src/base/errors.js';
import { escapeForeign } from '../../src/base/foreign-text.js';
import { formatPhone } from '../../src/terminal/formats.js';
import { withSpinner } from '../../src/terminal/spinner.js';
import type { Command } from '../command.js';
import { nextCommand } from '../next-command.js';
import { payOptions, withCashier } from './pay-context.js';

export const command: Command = {
  description:
    'Show who is signed in and whether the provider still accepts the session. Exit code: 0 accepted, 4 not signed in.',
  options: payOptions,
  examples: [
    { command: 'msgsite pay status', description: 'Show who is signed in' },
    { command: 'msgsite pay status --json', description: 'Check the session in a script' },
  ],
  run: (context, input) =>
    withCashier(context, input, async (pay) => {
      const check = await withSpinner(pay.context, 'Contacting the bank', () =>
        pay.cashier.checkSession(),
      );
      const { orgName, phone, organizationId, profileId } = await pay.cashier.facts();
      const facts = { orgName, phone, organizationId, profileId };
      context.output.result({ ...check, ...facts }, () => {
        const { green, red } = context.output.colors;
        const state = check.active ? green('✓ Signed in') : red('✗ The session has ended');
        const { origin } = pay.gateway;
        const where = origin === undefined ? '' : `\nGateway  ${origin}`;
        return `${state}${where}\nShop     ${escapeForeign(orgName)}\nCashier  ${formatPhone(phone)}`;
      });
      if (check.active) return exitCodes.done;
      context.output.note(`To sign in again, run: ${nextCommand(input, 'pay login')}`);
      return exitCodes.notSignedIn;
    }),
};
