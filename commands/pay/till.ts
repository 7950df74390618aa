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
    'Open a screen for a whole shift. Type an amount and press Enter to show its QR code. After the result, press Enter to start the next sale. Invoices, refunds, the history, today’s totals and the sign-in are one key away. Ctrl+C closes the till (exit code 130) and lists the open payments.',
  options: [plainOption, ...payOptions],
  examples: [
    { command: 'msgsite pay till', description: 'Open the till for a shift' },
    { command: 'msgsite pay till --plain', description: 'Open the till for a screen reader' },
  ],
  async run(context, input) {
    if (context.output.json) {
      throw new AppError('usage', 'pay till is interactive and does not support --json.', {
        hint: 'In scripts, use msgsite pay qr, msgsite pay invoice and msgsite pay wait.',
      });
    }
    if (!context.stdin.isTTY || !context.stdout.isTTY) {
      throw new AppError('usage', 'pay till requires a terminal for input and output.', {
        hint: 'Without a terminal, use msgsite pay qr, msgsite pay invoice and msgsite pay wait.',
      });
    }
    return withPay(context, input, runTill);
  },
};

/** Interval between two updates of the remaining time, in milliseconds. */
const tick = 1000;
/** Delay of a tick that indicates that the machine was suspended, in milliseconds. */
const suspendedAfter = 5000;
/** Interval between two refreshes of the data that the till shows besides payments, in milliseconds. */
const refreshEvery = 10_000;
/** Time after Ctrl+C in which payment requests may finish before they are reported as in doubt, in milliseconds. */
const lastWait = 200;

/** Runs the till until the cashier closes it, and returns the exit code. */
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
  /** Running effects by their JSON, so that equal effects do not run concurrently. */
  const running = new Map<
    string,
    { readonly effect: GatewayEffect; readonly end: Promise<void> }
  >();
  /** Events that arrived after the cashier closed the till. */
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
    else run(effect);
  }

  function run(effect: GatewayEffect): void {
    const name = JSON.stringify(effect);
    if (running.has(name)) return;
    const end = perform(effect).then((event) => {
      running.delete(name);
      if (event) onEvent(event);
    });
    running.set(name, { effect, end });
  }

  /** Waits briefly for payment requests, then prints what remains open or in doubt. */
  async function leave(): Promise<void> {
    const { refunds } = state;
    const money = [...running.values()].filter(({ effect }) => isMoney(effect));
    const ends = Promise.all(money.map(({ end }) => end));
    if (money.length > 0) await Promise.race([ends, clock.sleep(lastWait)]);
    const pending = [...running.values()].map(({ effect }) => effect);
    printLastWords(pay, { state, pending, refunds, lateEvents });
  }

  let before = clock.now();
  const ticking = () => {
    const now = clock.now();
    // Timers stop while the machine is suspended, so open payments are polled immediately afterwards.
    if (now - before > tick + suspendedAfter) {
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
    const refresh = () => run({ do: 'refresh' });
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

function isMoney({ do: kind }: GatewayEffect): boolean {
  return kind === 'create' || kind === 'refund';
}

function nameOf({ card: { id }, type, organizationId }: TillPayment) {
  return { id, type, organizationId };
}

/** The exit code for SIGHUP: 128 plus the signal number. */
const hungUp = 129;

/** Opens the till as a full-screen view, or as lines in plain mode. */
async function openFace(
  { context, gateway, input }: PayContext,
  listeners: Pick<TillFaceOptions, 'onEvent' | 'onGone'>,
): Promise<TillFace> {
  const { stdin, stdout: terminal, output, env } = context;
  const colors = output.screenColors.stdout;
  const depth = colorDepth(env, colors.bold('') !== '');
  const darkBackground = hasDarkBackground(env);
  const zone = followZone(gateway, context.clock);
  const options: TillFaceOptions = {
    ...listeners,
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

/** Interval between two requests for the time zone, in milliseconds. */
const pause = 3000;

/** Returns a function for the gateway's time zone. Until the gateway responds, it returns this machine's time zone. */
export function followZone(
  gateway: Pick<GatewayClient, 'zone'>,
  clock: Pick<Clock, 'monotonic'>,
): () => string {
  const { timeZone: localZone } = new Intl.DateTimeFormat().resolvedOptions();
  let known: string | undefined;
  let requestedAt = Number.NEGATIVE_INFINITY;
  const request = async () => {
    requestedAt = Number.POSITIVE_INFINITY;
    known = await gateway.zone().catch(() => undefined);
    requestedAt = clock.monotonic();
  };
  return () => {
    if (known === undefined && clock.monotonic() - requestedAt >= pause) void request();
    return known ?? localZone;
  };
}
