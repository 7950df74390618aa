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
import { sayFarewell } from './till/last-words.js';
import { createWatching } from './till/watching.js';

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

/** Milliseconds from tick to tick: the time left is drawn again. */
const tick = 1000;
/** Milliseconds that a tick may be late before the machine is taken to have slept. */
const sleepy = 5000;
/** Milliseconds between two refreshes of the facts that the till shows besides payments. */
const refreshEvery = 10_000;
/** Milliseconds after Ctrl+C in which calls that move money may still end; after that they are reported as in doubt. */
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
  /** Effects under way by their JSON, so that equal ones do not run at the same time. */
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

  /** Waits briefly for calls that move money, then prints the till's last words. */
  async function leave(): Promise<void> {
    const { refunds } = state;
    const money = [...underWay.values()].filter(({ effect }) => isMoney(effect));
    const ends = Promise.all(money.map(({ end }) => end));
    if (money.length > 0) await Promise.race([ends, clock.sleep(lastWait)]);
    const asked = [...underWay.values()].map(({ effect }) => effect);
    sayFarewell(pay, { state, asked, refunds, lateEvents });
  }

  let before = clock.now();
  const ticking = () => {
    const now = clock.now();
    // Timers stand still while a laptop sleeps: what was open then is polled at once.
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
      output.warn('Some webhooks could not be sent; the next msgsite serve tries again.');
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

/** What shells give for SIGHUP: 128 and its number. */
const hungUp = 129;

/** The till on the whole terminal, or in lines: with `--plain`, and where the terminal cannot be painted on. */
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

/** Milliseconds between two questions for the zone. */
const pause = 3000;

/**
 * The gateway's zone. One that is away, or that nobody is signed in at yet, names it later; until then it is that of
 * this machine.
 */
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
