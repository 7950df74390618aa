import { expect, it } from 'vitest';
import { paymentKinds } from '../../src/payments/records.js';
import { openJsonPaymentStores } from '../../src/payments/store-json/open.js';
import { fillJsonPayments, readJsonPayments } from '../../src/payments/store-json/transfer.js';
import { createManualClock } from '../helpers/manual-clock.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { fullRecords, now } from './full-records.js';
import { collect } from './payments-under-test.js';

it.each(Object.entries(fullRecords))(
  'every optional property of a %s passes its check and survives import and export',
  async (name, record) => {
    const kind = paymentKinds().find((each) => each.name === name);
    expect(kind?.check(record)).toBeUndefined();
    const folder = await makeTempFolder();
    const writer = fillJsonPayments(folder).find((each) => each.kind === name);
    await writer?.write(
      (async function* () {
        yield record;
      })(),
    );
    const reader = readJsonPayments(folder, now, async () => undefined).find(
      (each) => each.kind === name,
    );
    expect(reader && (await collect(reader.read()))).toEqual([record]);
  },
);

it('every optional property of a session, an intent, a refund and a payment survives storage in a file', async () => {
  const options = { folder: await makeTempFolder(), clock: createManualClock(), onDamaged() {} };
  const { payment, refund, 'cashier-session': session, 'payment-intent': intent } = fullRecords;
  const first = await openJsonPaymentStores(options);
  await first.sessions.add(session);
  await first.intents.add(intent);
  await first.refunds.put(refund);
  await first.payments.add(payment);
  await first.close();
  const stores = await openJsonPaymentStores(options);
  expect(await stores.sessions.find(session.id)).toEqual(session);
  expect(await stores.intents.find(intent.id)).toEqual(intent);
  expect(await stores.refunds.find(refund.intentId)).toEqual(refund);
  expect(await stores.payments.find({ id: payment.id })).toEqual([payment]);
  await stores.close();
});
