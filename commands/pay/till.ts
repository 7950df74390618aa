import { randomUUID } from 'node:crypto';
import type { Clock } from '../../src/base/clock.js';
import { AppError, exitCodes } from '../../src/base/errors.js';
import { every } from '../../src/base/every.js';
import { readAmount } from '../../src/payments/amount.js';
import type { GatewayClient } from '../../src/payments/client/gateway-client.js';
import { maskPhone, normalisePhone } from '../../src/payments/phone.js';
import { colorDepth, hasDarkBackground } from '../../src/terminal/capabilities.js';
import type { TillFace, TillFaceOptions } from '../../src/terminal/till/till-face.js';
import { openPlainScreen } from '../../src/terminal/till/till-face.js';
import { createTillUpdate } from '../../src/terminal/till/till-state.js';
import { openTill } from '../../src/terminal/till/till-steps.js';
import type {
  TillEffect,
  TillEvent,
  TillPayment,
  TillState,
} from '../../src/terminal/till/till-types.js';
import type { Command } from '../command.js';
import { nextCommand } from '../next-command.js';
import { plainOption } from './flags.js';
import type { PayContext } from './pay-context.js';
import { payOptions, withPay } from './pay-context.js';
import { createConnection, createTillSession } from './till/connection.js';
import { createEffects, type GatewayEffect } from './till/effects.js';
import { printLastWords } from './till/last-words.js';
import { createWatching } from './till/watching.js';

export const command: Command = {
  description:
    'Open one screen for a whole shift. Type an amount and press Enter to show its code; press Enter after the result to start the next sale. Invoices, refunds, the history, the totals of today and the sign-in are one key away. Ctrl+C leaves the till (exit code 130) and lists the open payments.',
  options: [plainOption, ...payOptions],
  examples: [
    { command: 'msgsite pay till', description: 'Work a shift' },
    { command: 'msgsite pay till --plain', description: 'Work a shift with a screen reader' },
  ],
  async run(context, input) {
    if (context.output.json) {
      throw new AppError('usage', 'pay till is interactive and does not support --json.', {
        hint: 'In scripts, use msgsite pay qr, msgsite pay invoice and msgsite pay wait.',
      });
    }
    if (!context.stdin.isTTY || !context.stdout.isTTY) {
      throw new AppError('usage', 'pay till requires a terminal for input and output.', {
        hint: 'Without one, use msgsite pay qr, msgsite pay invoice and msgsite pay wait.',
      });
    }
    return withPay(context, input, runTill);
  },
};

/** Milliseconds between two updates of the time left. */
const tick = 1000;
/** Milliseconds of a tick's delay after which the machine counts as suspended. */
const sleepy = 5000;
/** Milliseconds between two refreshes of the facts that the till shows besides payments. */
const refreshEvery = 10_000;
/** Milliseconds after Ctrl+C in which money requests may still end; after that, they are reported as in doubt. */
const lastWait = 200;

/** Runs the till until the cashier leaves and returns the exit code. */
async function runTill(pay: PayContext): Promise<number> {
  const { clock, signal, output, interrupt } = pay.context;
  const kept = await pay.session();
  const session = createTillSession(pay, kept);
  const ending = new AbortController();
  const stop = AbortSignal.any([signal, ending.signal]);
  const update = createTillUpdate({ readAmount, readPhone: normalisePhone });
  const first = { shop: kept?.orgName ?? '', phone: kept?.phone ?? '' };
  let state: TillState = { ...openTill(randomUUID(), clock.now()), ...first };

  const watching = createWatching({ ...pay, records: session.records, clock, onEvent });
  const perform = createEffects({ pay, session });
  const connection = createConnection({ pay, session, state: () => state, onEvent });
  /** Running effects by their JSON, so equal effects do not run concurrently. */
  const underWay = new Map<
    string,
    { readonly effect: GatewayEffect; readonly end: Promise<void> }
  >();
  /** Events after the cashier left. */
  const lateEvents: TillEvent[] = [];
  let face: TillFace | undefined;

  function onEvent(event: TillEvent): void {
    const times = { now: clock.now(), moment: clock.monotonic() };
    const step = update({ ...state, ...times }, event);
    state = step.state;
    if (stop.aborted) {
      lateEvents.push(event);
      return;
    }
    for (const effect of step.effects) start(effect);
    face?.show(state);
  }

  function start(effect: TillEffect): void {
    if (effect.do === 'bell') face?.bell();
    else if (effect.do === 'leave') interrupt();
    else if (effect.do === 'watch_again') watching.again();
    else if (effect.do === 'watch') watching.add(effect.payments.map(nameOf));
    else ask(effect);
  }

  function ask(effect: GatewayEffect): void {
    const name = JSON.stringify(effect);
    if (underWay.has(name)) return;
    const end = perform(effect).then((event) => {
      underWay.delete(name);
      if (event) onEvent(event);
    });
    underWay.set(name, { effect, end });
  }

  /** Waits briefly for money requests, then prints the till's last words. */
  async function leave(): Promise<void> {
    const { refunds } = state;
    const money = [...underWay.values()].filter(({ effect }) => isMoney(effect));
    const ends = Promise.all(money.map(({ end }) => end));
    if (money.length > 0) await Promise.race([ends, clock.sleep(lastWait)]);
    const asked = [...underWay.values()].map(({ effect }) => effect);
    printLastWords(pay, { state, asked, refunds, lateEvents });
  }

  let before = clock.now();
  const ticking = () => {
    const now = clock.now();
    // Timers stop while a machine is suspended, so open payments are polled immediately.
    if (now - before > tick + sleepy) {
      watching.again();
      connection.again();
    }
    before = now;
    onEvent({ on: 'tick', now, moment: clock.monotonic() });
  };

  let hasHungUp = false;
  const onHangUp = () => {
    hasHungUp = true;
    interrupt();
  };
  process.once('SIGHUP', onHangUp);
  try {
    face = await openFace(pay, { onEvent, onGone: onHangUp });
    process.once('exit', face.close);
    face.show(state);
    void connection.open();
    const refresh = () => ask({ do: 'refresh' });
    await Promise.all([
      every(tick, ticking, { clock, signal: stop }),
      every(refreshEvery, refresh, { clock, signal: stop, sleepFirst: true }),
      connection.run(stop),
    ]);
  } finally {
    ending.abort();
    face?.close();
    process.off('SIGHUP', onHangUp);
    if (face) process.off('exit', face.close);
    await Promise.all([leave(), watching.close()]);
    if (watching.unsent > 0) {
      output.warn('Some webhooks could not be sent. The next msgsite serve will retry.');
    }
  }
  return hasHungUp ? hungUp : exitCodes.interrupted;
}

function isMoney({ do: what }: GatewayEffect): boolean {
  return what === 'create' || what === 'refund';
}

function nameOf({ card: { id }, type, organizationId }: TillPayment) {
  return { id, type, organizationId };
}

/** The exit code for SIGHUP: 128 plus its number. */
const hungUp = 129;

/** Opens the till on the whole terminal, or in lines in plain mode. */
async function openFace(
  { context, gateway, input }: PayContext,
  hearing: Pick<TillFaceOptions, 'onEvent' | 'onGone'>,
): Promise<TillFace> {
  const { stdin, stdout: terminal, output, env } = context;
  const colors = output.screenColors.stdout;
  const depth = colorDepth(env, colors.bold('') !== '');
  const darkBackground = hasDarkBackground(env);
  const zone = followZone(gateway, context.clock);
  const options: TillFaceOptions = {
    ...hearing,
    stdin,
    terminal,
    style: () => ({ colors, depth, darkBackground, zone: zone() }),
    about: ({ phone }) => ({
      cashier: phone === '' ? '' : maskPhone(phone),
      at: gateway.origin ?? 'here',
      doubtsCommand: nextCommand(input, 'pay payments', ['--state', 'in_doubt']),
    }),
  };
  if (output.plain) {
    return openPlainScreen(options);
  }
  const { openFullScreen } = await import('../../src/terminal/painted.js');
  return openFullScreen(options);
}

/** Milliseconds between two requests for the zone. */
const pause = 3000;

/** Returns a function for the gateway's zone. Until the gateway answers, it returns the zone of this machine. */
export function followZone(
  gateway: Pick<GatewayClient, 'zone'>,
  clock: Pick<Clock, 'monotonic'>,
): () => string {
  const { timeZone: own } = new Intl.DateTimeFormat().resolvedOptions();
  let known: string | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  const ask = async () => {
    askedAt = Number.POSITIVE_INFINITY;
    known = await gateway.zone().catch(() => undefined);
    askedAt = clock.monotonic();
  };
  return () => {
    if (known === undefined && clock.monotonic() - askedAt >= pause) void ask();
    return known ?? own;
  };
}
