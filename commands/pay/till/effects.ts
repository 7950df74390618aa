import { AppError } from '../../../src/base/errors.js';
import { exactInteger } from '../../../src/json/exact-json.js';
import type { CashierCalls } from '../../../src/payments/client/gateway-client.js';
import { operationsBack } from '../../../src/payments/providers/operation-rows.js';
import { readCreated, readRefunded } from '../../../src/payments/providers/provider-answer.js';
import { providerDay } from '../../../src/payments/zoned-time.js';
import type { Sale, TillEffect, TillEvent } from '../../../src/terminal/till/till-types.js';
import { attemptsLeft, keepSession, sendCode } from '../login.js';
import { readClientName } from '../operation-rows.js';
import type { PayContext } from '../pay-context.js';
import { type HeldKey, holdRefundKey } from '../refund-key.js';
import type { TillSession } from './connection.js';
import { dayTotals, pastOperation, returnableOf, tillFailure, tillPayment } from './till-rows.js';

/** Maximum number of payments offered for a refund. */
const maxReturnable = 10;
/** Maximum number of operations searched for refundable payments and for the history. */
const maxSearched = 200;
/** Maximum number of operations in the history. */
const maxHistory = 50;
/** Period that both lists cover, in milliseconds. */
const listedPeriod = 30 * 24 * 3600 * 1000;
/** Maximum number of requests in doubt that are counted. */
const maxDoubts = 1000;
/** Maximum length of a customer's name, in characters. */
const maxNameLength = 100;

/** Effects that are carried out at the gateway. */
export type GatewayEffect = Exclude<
  TillEffect,
  { readonly do: 'watch' | 'watch_again' | 'bell' | 'leave' }
>;

export interface EffectsOptions {
  readonly pay: PayContext;
  readonly session: TillSession;
}

/** Carries out the till's effects and reports each result as an event. Never rejects. */
export function createEffects({ pay, session }: EffectsOptions) {
  const { gateway, context } = pay;
  /** Keys of requests that were already sent and may have been executed. */
  const sentKeys = new Set<string>();
  const refunds = new Map<string, HeldKey>();

  async function create(sale: Sale): Promise<TillEvent> {
    try {
      const cashier = await session.cashier();
      const facts = await cashier.facts();
      const { id } = readCreated(sale.type, await order(cashier, sale));
      const { organizationId, orgName } = facts;
      const row = await session.records().find({ id, type: sale.type, organizationId });
      sentKeys.delete(sale.key);
      return {
        on: 'made',
        sale,
        payment: tillPayment(row, { orgName, clientName: sale.client?.name }),
      };
    } catch (error) {
      return { on: 'not_made', sale, failure: tillFailure(error) };
    }
  }

  function order(cashier: CashierCalls, { key, type, amount, client }: Sale) {
    const repeat = { key, isNew: !sentKeys.has(key) };
    sentKeys.add(key);
    if (type === 'qr' || !client) return cashier.createQr({ amount }, repeat);
    return cashier.createInvoice({ phoneNumber: client.phone, amount }, repeat);
  }

  async function refund({
    id,
    amount,
    key,
  }: Extract<TillEffect, { do: 'refund' }>): Promise<TillEvent> {
    try {
      const cashier = await session.cashier();
      const order = { qrOperationId: exactInteger(id), returnAmount: amount };
      const held =
        refunds.get(key) ?? (await holdRefundKey(pay, cashier, { order, isAnother: false }));
      refunds.set(key, held);
      await held.keep();
      const answer = await cashier.refund(order, { key: held.key, isNew: held.isNew });
      refunds.delete(key);
      await held.forget();
      const note =
        held.earlier?.state === 'adopted'
          ? 'This refund was in doubt and has been confirmed. Nothing was returned again.'
          : undefined;
      return { on: 'refunded', key, left: readRefunded(answer).available ?? undefined, note };
    } catch (error) {
      return { on: 'not_refunded', key, failure: tillFailure(error) };
    }
  }

  /** Calls `take` with the latest operations, newest first, and returns up to `max` results that are not undefined. */
  async function operations<Row>(
    take: (row: Parameters<typeof pastOperation>[0]) => Row | undefined,
    max: number,
  ): Promise<Row[]> {
    const cashier = await session.cashier();
    const now = context.clock.now();
    const span = { since: now - listedPeriod, until: now, zone: await gateway.zone() };
    const rows: Row[] = [];
    let seen = 0;
    for await (const row of operationsBack((period) => cashier.operations(period), span)) {
      const taken = take(row);
      if (taken !== undefined) rows.push(taken);
      seen += 1;
      if (rows.length === max || seen === maxSearched) break;
    }
    return rows;
  }

  /** Reads the data about the organization that the till shows besides payments. */
  async function refresh(): Promise<TillEvent> {
    const { organizationId, sandbox = false } = await (await session.cashier()).facts();
    const kinds = ['qr', 'invoice', 'refund'] as const;
    const query = { state: 'in_doubt', kinds, organizationId, limit: maxDoubts } as const;
    const { rows } = await session.records().intents(query);
    return { on: 'refreshed', inDoubt: rows.length, isSandbox: sandbox };
  }

  async function run(effect: GatewayEffect): Promise<TillEvent | undefined> {
    switch (effect.do) {
      case 'create':
        return create(effect.sale);
      case 'refund':
        return refund(effect);
      case 'send_code':
        return codeSent(pay, effect.phone);
      case 'check_code':
        return checkCode(pay, session, effect);
      case 'find_client': {
        const { phone } = effect;
        const name = readClientName(await (await session.cashier()).findClient(phone)) ?? '';
        return { on: 'client', client: { phone, name: name.slice(0, maxNameLength) } };
      }
      case 'cancel': {
        const { key, card } = effect.payment;
        try {
          await (await session.cashier()).cancelInvoice(card.id);
          return { on: 'polled', key, failure: undefined };
        } catch (error) {
          return { on: 'not_cancelled', key, failure: tillFailure(error) };
        }
      }
      case 'list_returnable':
        return { on: 'returnable', rows: await operations(returnableOf, maxReturnable) };
      case 'list_history':
        return { on: 'history', rows: await operations(pastOperation, maxHistory) };
      case 'add_up': {
        // Only a signed-in cashier may see the totals.
        await (await session.cashier()).facts();
        const today = providerDay(context.clock.now(), await gateway.zone());
        return { on: 'totals', totals: dayTotals(await session.records().report(today)) };
      }
      case 'refresh':
        // A failed refresh is ignored, because the next one follows soon.
        return refresh().catch(() => undefined);
    }
  }

  return async function perform(effect: GatewayEffect): Promise<TillEvent | undefined> {
    try {
      return await run(effect);
    } catch (error) {
      return { on: 'failed', failure: tillFailure(error) };
    }
  };
}

/** Sends a code to the cashier's phone. */
async function codeSent(pay: PayContext, phone: string): Promise<TillEvent> {
  try {
    const { processId, sent } = await sendCode(pay, phone);
    const said = typeof sent.desc === 'string' ? sent.desc.slice(0, 200) : '';
    return { on: 'code_sent', processId, said };
  } catch (error) {
    return notSignedIn(error);
  }
}

/** Completes a sign-in with its code, then stores and uses the new session. */
async function checkCode(
  pay: PayContext,
  session: TillSession,
  { processId, code }: { readonly processId: string; readonly code: string },
): Promise<TillEvent> {
  try {
    const signedIn = await pay.gateway.signIn.verifyOtp(processId, code);
    session.use(await keepSession(pay, signedIn));
    return { on: 'signed_in', shop: signedIn.orgName, phone: signedIn.phone };
  } catch (error) {
    return notSignedIn(error);
  }
}

function notSignedIn(error: unknown): TillEvent {
  const mayRetry = error instanceof AppError && attemptsLeft(error) > 0;
  return { on: 'not_signed_in', failure: tillFailure(error), mayRetry };
}
