import { AppError } from '../../src/base/errors.js';
import type { Payment } from '../../src/payments/payment.js';
import type { ProviderAnswer } from '../../src/payments/providers/provider.js';
import { readCreated } from '../../src/payments/providers/provider-answer.js';
import type { PaymentType } from '../../src/payments/watching/payment-rules.js';
import type { OptionDefinition } from '../command.js';
import { readTimeout, timeoutOption } from './flags.js';
import { type FollowOptions, followPayment } from './follow-payment.js';
import { cardOf, paymentJson } from './payment-view.js';
import { prepareScreen, printCreated } from './presenter.js';
import { asking, type Till } from './till.js';

/** Flags of the commands that make a payment. */
export const creationOptions: readonly OptionDefinition[] = [
  { flags: '--amount <tenge>', description: 'amount, such as 1500 or 1500,50' },
  { flags: '--no-wait', description: 'do not wait for the outcome' },
  timeoutOption,
];

interface Creation extends Omit<FollowOptions, 'cancel'> {
  readonly type: PaymentType;
  readonly create: () => Promise<ProviderAnswer>;
  /** Cancels the payment of this id, where the provider can. */
  readonly cancel?: (id: string) => Promise<unknown>;
}

/** Makes a payment and, unless `--no-wait`, waits for what becomes of it; gives the exit code. */
export async function createPayment(till: Till, creation: Creation): Promise<number> {
  const { context, input, zone } = till;
  const { type, create, cancel, ...extras } = creation;
  const timeout = readTimeout(input);
  if (input.options.wait !== false) prepareScreen(context);
  const answer = await asking(till, 'Asking the bank for the payment', create);
  const payment = await storedPayment(till, type, answer);
  if (input.options.wait === false) {
    if (!context.output.json) printCreated(context, cardOf(payment, extras), zone);
    else context.output.result(paymentJson(payment), () => '');
    return 0;
  }
  return followPayment(till, payment, {
    ...extras,
    timeout,
    cancel: cancel && (() => cancel(payment.id)),
  });
}

async function storedPayment(
  { payments }: Till,
  type: PaymentType,
  answer: ProviderAnswer,
): Promise<Payment> {
  const { id } = readCreated(type, answer);
  const payment = await payments.findPayment(id, type);
  if (payment) return payment;
  throw new AppError('internal_error', `The payment ${id} was made but is not stored.`);
}
