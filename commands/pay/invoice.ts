import { AppError } from '../../src/base/errors.js';
import type { InvoiceOrder } from '../../src/payments/gateway.js';
import { normalisePhone } from '../../src/payments/phone.js';
import { confirm } from '../../src/terminal/ask.js';
import { formatPhone, formatTenge } from '../../src/terminal/formats.js';
import { withSpinner } from '../../src/terminal/spinner.js';
import type { Command, CommandInput } from '../command.js';
import { questioner, readText } from '../flags.js';
import { listText } from '../list.js';
import { amountSource, creationOptions, phoneSource, readTimeout, requireId } from './flags.js';
import { sendWebhooks } from './follow-payment.js';
import {
  describeOperation,
  operationColumns,
  readClientName,
  readRow,
  readRows,
} from './operation-rows.js';
import { type CashierContext, payOptions, withCashier } from './pay-context.js';
import { createPayment } from './qr.js';

export const invoice: Command = {
  description:
    'Send an invoice to a customer’s phone and wait until it is paid. On a terminal, show the customer’s name and ask for confirmation first. Exit code: 0 paid, 5 not paid, 6 expired, 7 outcome unknown.',
  options: [
    { flags: '--phone <number>', description: 'the customer’s phone, such as 87011234567' },
    { flags: '--comment <text>', description: 'a comment for the customer' },
    { flags: '-y, --yes', description: 'do not ask for confirmation' },
    ...creationOptions,
    ...payOptions,
  ],
  examples: [
    {
      command: 'msgsite pay invoice --phone "+7 701 123-45-67" --amount 1500',
      description: 'Send an invoice and wait',
    },
    {
      command: 'msgsite pay invoice --phone 87011234567 --amount 1500 --no-wait --json',
      description: 'Send an invoice from a script',
    },
  ],
  async run(context, input) {
    readTimeout(input);
    const phone = phoneSource(context, input, 'Customer’s phone:');
    const amount = amountSource(context, input);
    const comment = commentOf(input);
    return withCashier(context, input, async (pay) => {
      const order = { phoneNumber: await phone(), amount: await amount() };
      return bill(pay, { ...order, ...(comment ? { comment } : {}) });
    });
  },
};

/** Maximum length of a comment, in characters. It matches the limit of the gateway. */
const maxCommentLength = 1_000;

function commentOf(input: CommandInput): string | undefined {
  const comment = readText(input, 'comment');
  if (comment === undefined || [...comment].length <= maxCommentLength) return comment;
  throw new AppError('usage', `--comment must have at most ${maxCommentLength} characters.`);
}

async function bill(pay: CashierContext, order: InvoiceOrder): Promise<number> {
  const answer = await withSpinner(pay.context, 'Looking up the customer', () =>
    pay.cashier.findClient(order.phoneNumber),
  );
  const clientName = readClientName(answer);
  await confirmOrder(pay, order, clientName);
  return createPayment(pay, {
    type: 'invoice',
    clientName,
    create: (repeat) => pay.cashier.createInvoice(order, repeat),
  });
}

/** Asks for confirmation on a terminal, because the phone number may be mistyped. */
async function confirmOrder(
  { context, input }: CashierContext,
  { phoneNumber, amount }: InvoiceOrder,
  clientName = 'a customer without a name',
): Promise<void> {
  const terminal = input.options.yes === true ? undefined : questioner(context);
  if (!terminal) return;
  const customer = `${clientName}, ${formatPhone(phoneNumber)}`;
  const question = `Send an invoice of ${formatTenge(amount)} to ${customer}?`;
  if (await confirm(terminal, question, true)) return;
  throw new AppError('refused', 'Nothing was sent.');
}

export const invoiceClient: Command = {
  description: 'Look up a customer by phone number.',
  arguments: [{ name: '<phone>', description: 'the customer’s phone, such as 87011234567' }],
  options: payOptions,
  examples: [
    {
      command: 'msgsite pay invoice client "+7 701 123-45-67"',
      description: 'Show the customer’s name',
    },
  ],
  async run(context, input) {
    const phone = normalisePhone(String(input.arguments[0]));
    return withCashier(context, input, async (pay) => {
      const answer = await withSpinner(pay.context, 'Looking up the customer', () =>
        pay.cashier.findClient(phone),
      );
      context.output.result(answer, () =>
        [readClientName(answer) ?? 'A customer without a name', formatPhone(phone)].join('\n'),
      );
    });
  },
};

export const invoiceShow: Command = {
  description: 'Show the current state of an invoice at the provider.',
  arguments: [{ name: '<id>', description: 'the invoice’s ID' }],
  options: payOptions,
  examples: [
    {
      command: 'msgsite pay invoice show 1795230000',
      description: 'Check whether an invoice has been paid',
    },
  ],
  async run(context, input) {
    const id = requireId(input);
    return withCashier(context, input, async (pay) => {
      const answer = await withSpinner(pay.context, 'Contacting the bank', () =>
        pay.cashier.invoiceDetails(id),
      );
      context.output.result(answer, () => describeOperation(readRow(answer)));
    });
  },
};

export const invoiceList: Command = {
  description: 'List the organization’s latest 20 invoices at the provider.',
  options: payOptions,
  examples: [{ command: 'msgsite pay invoice list', description: 'List the latest invoices' }],
  run: (context, input) =>
    withCashier(context, input, async (pay) => {
      const answer = await withSpinner(pay.context, 'Contacting the bank', () =>
        pay.cashier.invoiceHistory(),
      );
      context.output.result(answer, () =>
        listText(context, {
          rows: readRows(answer),
          columns: operationColumns,
          empty: 'No invoices.',
          newest: 'first',
        }),
      );
    }),
};

export const invoiceCancel: Command = {
  description: 'Cancel an invoice that has not been paid yet.',
  arguments: [{ name: '<id>', description: 'the invoice’s ID' }],
  options: payOptions,
  examples: [
    { command: 'msgsite pay invoice cancel 1795230000', description: 'Cancel an invoice' },
  ],
  async run(context, input) {
    const id = requireId(input);
    return withCashier(context, input, async (pay) => {
      const answer = await withSpinner(pay.context, 'Cancelling', () =>
        pay.cashier.cancelInvoice(id),
      );
      const { green } = context.output.colors;
      context.output.result(
        answer,
        () => `${green('✓ Cancelled')}\n${describeOperation(readRow(answer))}`,
      );
      await awaitOutcome(pay, id);
    });
  },
};

/** Time to wait for the outcome, in milliseconds. A poll takes less. */
const outcomeTimeout = 10_000;

/** Waits for the outcome of a cancelled invoice and sends its webhooks, unless a running `serve` does that. */
async function awaitOutcome(pay: CashierContext, id: string): Promise<void> {
  const { context, cashier, gateway } = pay;
  // A remote gateway is a running `serve`.
  if (gateway.origin !== undefined) return;
  const { organizationId } = await cashier.facts();
  const records = await pay.records();
  const invoice = { id, type: 'invoice', organizationId } as const;
  const payment = await records.find(invoice).catch(ignoreNotFound);
  if (payment?.state !== 'open') return;
  const done = new AbortController();
  const signal = AbortSignal.any([context.signal, done.signal]);
  void context.clock.sleep(outcomeTimeout, signal).then(() => done.abort());
  const waited = await records.waitForOutcome(invoice, { signal });
  done.abort();
  if (waited.endedHere) await sendWebhooks(pay, waited.payment);
}

/** Returns undefined for the error of an invoice that is not stored here. Throws any other error. */
function ignoreNotFound(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'not_found') return undefined;
  throw error;
}
