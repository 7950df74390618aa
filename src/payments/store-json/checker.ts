import { join } from 'node:path';
import { checkSpool, type DataChecker } from '../../storage/json/data-checker.js';

/** Checks the files of watched payments, of cashiers' sessions and sign-ins and of kept answers. */
export const paymentChecker: DataChecker = {
  name: 'payments',
  async check(data, report) {
    const folder = join(data, 'payments');
    await checkSpool(folder, ['open', 'ended', 'unknown'], report);
    for (const name of ['sessions', 'idempotency', 'sign-ins']) {
      await checkSpool(join(folder, name), undefined, report);
    }
  },
};
