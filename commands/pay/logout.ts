import { AppError } from '../../src/base/errors.js';
import { withSpinner } from '../../src/terminal/spinner.js';
import type { Command } from '../command.js';
import { payOptions, requireCashier, withPay } from './pay-context.js';
import { removeSession } from './session-file.js';

export const command: Command = {
  description: 'Sign out and end the session. Open payments are still watched until they end.',
  options: payOptions,
  examples: [{ command: 'msgsite pay logout', description: 'Sign out' }],
  run: (context, input) =>
    withPay(context, input, async (pay) => {
      const { output } = context;
      const found = await pay.session();
      if (!found) {
        output.result({ success: true, signedOut: false }, () => 'Nobody is signed in.');
        return 0;
      }
      const signedOut = await withSpinner(context, 'Signing out', async () => {
        const signedIn = await requireCashier(pay).catch(ignoreInvalid);
        if (signedIn) await signedIn.cashier.logOut();
        return signedIn !== undefined;
      });
      // The stored session is no longer valid, whether it was just ended or was already invalid.
      if (found.file !== undefined) await removeSession(found.file);
      output.result({ success: true, signedOut }, () =>
        signedOut ? 'Signed out.' : 'The session was no longer valid and has been removed.',
      );
      return 0;
    }),
};

function ignoreInvalid(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'not_signed_in') return undefined;
  throw error;
}
