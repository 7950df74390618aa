import { describe, expect, it } from 'vitest';
import { readAmount } from '../../../src/payments/amount.js';
import { normalisePhone } from '../../../src/payments/phone.js';
import { createKeyReader } from '../../../src/terminal/till/till-keys.js';
import { createTillUpdate } from '../../../src/terminal/till/till-state.js';
import { openTill } from '../../../src/terminal/till/till-steps.js';
import type {
  Step,
  TillEffect,
  TillEvent,
  TillFailure,
  TillState,
} from '../../../src/terminal/till/till-types.js';
import { now, payment, returnable } from './till-samples.js';

const update = createTillUpdate({ readAmount, readPhone: normalisePhone });
const opened: TillState = { ...openTill('shift', now), shop: 'Дала', phone: '77011234567' };

/** Returns the state after all events, and their effects. A text is sent key by key. */
function play(first: TillState, ...events: readonly (TillEvent | string)[]): Step {
  const read = createKeyReader();
  let state = first;
  const effects: TillEffect[] = [];
  const apply = (event: TillEvent) => {
    const step = update(state, event);
    state = step.state;
    effects.push(...step.effects);
  };
  for (const event of events) {
    if (typeof event !== 'string') apply(event);
    else for (const key of keysIn(event).flatMap(read)) apply({ on: 'key', key });
  }
  return { state, effects };
}

/** Splits a text into keys. Escape sequences and long texts are not split. */
function keysIn(text: string): string[] {
  return text.startsWith('\u001b') || text.length > 40 ? [text] : [...text];
}

const esc = '\u001b';
const sale = { key: 'shift-1', type: 'qr', amount: 1500 } as const;
const made = { on: 'made', sale, payment: payment() } as const;
const ended = (kind: 'success' | 'failed' | 'expired' | 'unknown' = 'success') =>
  ({ on: 'changed', payment: payment({ isOpen: false, kind, endedAt: now }) }) as const;
const failure = (kind: TillFailure['kind']) => ({ kind, text: 'It says why.' });

describe('an amount', () => {
  it.each([
    ['1500\r', 1500],
    ['1500,5\r', 1500.5],
    ['1500.50\r', 1500.5],
    ['15009\u007f\r', 1500],
    ['99\u00151500\r', 1500],
    ['15ю5\r', 15.5],
  ])('typed as %j requests its code', (keys, amount) => {
    const { state, effects } = play(opened, keys);
    expect(effects).toEqual([{ do: 'create', sale: { ...sale, amount } }]);
    expect(state.screen.name).toBe('asking');
  });

  it.each(['0\r', '1,505\r', ',\r', '1,5,5\r'])(
    'typed as %j is rejected with an explanation',
    (keys) => {
      const { state, effects } = play(opened, keys);
      expect(effects).toEqual([]);
      expect(state.screen).toMatchObject({ name: 'amount', field: { fault: /not an amount/ } });
    },
  );

  const refused = { on: 'not_made', sale: { ...sale, amount: 2910 } } as const;
  const bankRefuses = { ...refused, failure: failure('refused') };
  const fieldAfter = (...events: readonly (TillEvent | string)[]) =>
    play(opened, ...events).state.screen;

  it.each([
    ['was rejected by the bank', ['2910\r', bankRefuses]],
    ['is unreadable', ['2,910\r']],
    ['was left while it was being requested', ['2910\r', esc]],
    ['was left in doubt', ['2910\r', { ...refused, failure: failure('doubt') }, esc]],
  ] as const)('that %s is replaced by the first digit or a paste', (_, before) => {
    expect(fieldAfter(...before, '2911')).toEqual({ name: 'amount', field: { text: '2911' } });
    expect(fieldAfter(...before, '\u001b[200~2 911 ₸\u001b[201~')).toEqual({
      name: 'amount',
      field: { text: '2911' },
    });
  });

  it('that was rejected is edited by Backspace and requested again by Enter', () => {
    expect(fieldAfter('2910\r', bankRefuses, '\u007f\u007f05')).toMatchObject({
      field: { text: '2905' },
    });
    expect(fieldAfter('2,910\r', '\u007f')).toEqual({ name: 'amount', field: { text: '2,91' } });
    expect(play(opened, '2910\r', bankRefuses, '\r').effects).toMatchObject([
      { sale: { key: 'shift-1', amount: 2910 } },
      { sale: { key: 'shift-2', amount: 2910 } },
    ]);
  });

  it('is kept on Esc, and Enter without an amount does nothing', () => {
    expect(play(opened, '15', esc, '00\r').effects).toMatchObject([{ sale: { amount: 1500 } }]);
    expect(play(opened, '\r').effects).toEqual([]);
  });
});

describe('a paste into the till', () => {
  it.each([
    ['marked by the terminal', '\u001b[200~1500\r\u001b[201~'],
    ['marked by the terminal and mixed with commands', '\u001b[200~ir\r1500\ry\u0003\u001b[201~'],
    ['of several lines in one chunk', 'rubbish and more\r1500\r1600\ry\ri87015554433\r'],
    ['of words in one chunk', 'invoices, refunds and all that is in the history of them'],
  ])('%s has no effect', (_, text) => {
    const { state, effects } = play(opened, text);
    expect(effects).toEqual([]);
    expect(state.screen.name).toBe('amount');
  });

  it('of one amount fills the field, and Enter submits it', () => {
    const { state, effects } = play(opened, '\u001b[200~1 500,50 ₸\n\u001b[201~');
    expect(state.screen).toMatchObject({ field: { text: '1500,50' } });
    expect(effects).toEqual([]);
    expect(play(state, '\r').effects).toMatchObject([{ sale: { amount: 1500.5 } }]);
  });
});

describe('a sale at the till', () => {
  it('shows its code, its result with a bell, and the next amount on Enter', () => {
    const shown = play(opened, '1500\r', made);
    expect(shown.state.screen).toEqual({ name: 'payment', key: made.payment.key });
    expect(shown.effects.at(-1)).toEqual({ do: 'watch', payments: [made.payment] });
    const result = play(shown.state, ended());
    expect(result.effects).toEqual([{ do: 'bell' }]);
    expect(result.state.screen).toMatchObject({ name: 'result', payment: { kind: 'success' } });
    expect(play(result.state, '\r').state.screen.name).toBe('amount');
    expect(play(result.state, '1').state.screen).toMatchObject({ field: { text: '1' } });
  });

  it('that is left stays open, and its outcome is reported in a notice', () => {
    const { state } = play(opened, '1500\r', made, esc, '16');
    expect(state.open).toHaveLength(1);
    const { state: then, effects } = play(state, ended('failed'));
    expect(effects).toEqual([{ do: 'bell' }]);
    expect(then.screen).toMatchObject({ name: 'amount', field: { text: '16' } });
    expect(then.notice).toMatchObject({
      text: 'NOT PAID',
      details: ['1 500 ₸', 'payment 1795230000'],
    });
    expect(then.open).toEqual([]);
    expect(then.ended).toHaveLength(1);
  });

  it('is requested again under the same key when the gateway is available again', () => {
    const away = { on: 'not_made', sale, failure: failure('away') } as const;
    const { state } = play(opened, '1500\r', away);
    expect(state.screen.name).toBe('asking');
    expect(state.away).toBe('It says why.');
    const back = play(state, { on: 'connection', away: undefined });
    expect(back.effects).toEqual([{ do: 'create', sale }]);
    const left = play(state, esc);
    expect(left.state.screen).toMatchObject({ field: { text: '1500' } });
    expect(play(left.state, { on: 'connection', away: undefined }).effects).toEqual([]);
  });

  it('in doubt is repeated under a new key, because its code was not shown', () => {
    const { state } = play(opened, '1500\r', { on: 'not_made', sale, failure: failure('doubt') });
    expect(state.screen).toMatchObject({ name: 'doubt' });
    expect(state.doubts).toEqual([sale]);
    expect(play(state, '\r').effects).toEqual([
      { do: 'create', sale: { ...sale, key: 'shift-2' } },
    ]);
  });

  it('that is rejected keeps the amount and shows the reason', () => {
    const refused = { on: 'not_made', sale, failure: failure('refused') } as const;
    const { state } = play(opened, '1500\r', refused);
    expect(state.screen).toMatchObject({ name: 'amount', field: { text: '1500' } });
    expect(state.notice?.text).toBe('It says why.');
  });

  it('that is created after the cashier has left it is open and reported', () => {
    const { state, effects } = play(opened, '1500\r', esc, made);
    expect(state.screen.name).toBe('amount');
    expect(state.open).toHaveLength(1);
    expect(effects.at(-1)).toMatchObject({ do: 'watch' });
  });

  it('is kept only among the last 20 results, even in a long shift', () => {
    let state = opened;
    for (let id = 0; id < 200; id++) {
      const one = payment({ key: `17-qr-${id}` });
      const end = { on: 'changed', payment: { ...one, isOpen: false } } as const;
      state = play(state, '1\r', { ...made, payment: one, sale: saleOf(state) }, end, '\r').state;
    }
    expect(state.open).toEqual([]);
    expect(state.ended).toHaveLength(20);
  });
});

function saleOf({ keysMade }: TillState) {
  return { key: `shift-${keysMade + 1}`, type: 'qr', amount: 1 } as const;
}

describe('an invoice at the till', () => {
  const client = { phone: '77015554433', name: 'Мадина Т.' };
  const order = { key: 'shift-1', type: 'invoice', amount: 1500, client } as const;
  const sent = payment({ type: 'invoice', key: '17-invoice-1' });

  it('is sent after phone, name, amount and Enter, and cancelled with c', () => {
    const asked = play(opened, 'i', '8701 555 44 33\r');
    expect(asked.effects).toEqual([{ do: 'find_client', phone: client.phone }]);
    const billed = play(asked.state, { on: 'client', client }, '1500\r');
    expect(billed.effects).toEqual([{ do: 'create', sale: order }]);
    const shown = play(billed.state, { on: 'made', sale: order, payment: sent });
    expect(play(shown.state, 'cc').effects).toEqual([{ do: 'cancel', payment: sent }]);
  });

  it('replaces a rejected amount with the next digit, and edits it with Backspace', () => {
    const { state } = play(opened, 'i', '8701 555 44 33\r', { on: 'client', client }, '2,910\r');
    expect(state.screen).toMatchObject({ field: { text: '2,910', fault: /not an amount/ } });
    expect(play(state, '2911').state.screen).toMatchObject({ field: { text: '2911' } });
    expect(play(state, '\u007f5').state.screen).toMatchObject({ field: { text: '2,915' } });
  });

  it('in doubt is repeated only under the same key', () => {
    const asking: TillState = { ...opened, screen: { name: 'asking', sale: order } };
    const doubt = { on: 'not_made', sale: order, failure: failure('doubt') } as const;
    const { effects } = play(asking, doubt, '\r');
    expect(effects).toEqual([{ do: 'refresh' }, { do: 'create', sale: order }]);
    expect(play(asking, doubt, esc).state.screen).toMatchObject({ field: { text: '' } });
  });

  it('is not sent if the cashier leaves it while the gateway is unavailable', () => {
    const asking: TillState = { ...opened, screen: { name: 'asking', sale: order } };
    const away = { on: 'not_made', sale: order, failure: failure('away') } as const;
    const { effects } = play(asking, away, esc, { on: 'connection', away: undefined });
    expect(effects).toEqual([]);
  });
});

describe('a refund at the till', () => {
  const rows = [returnable('2'), returnable('1')];
  const chosen = play(opened, 'r', { on: 'returnable', rows }, '\u001b[B', '\r').state;
  const give = { do: 'refund', id: '1', amount: 1500, key: 'shift-1' } as const;

  it('starts with the remaining amount and is confirmed with y', () => {
    expect(chosen.screen).toMatchObject({ name: 'refund', field: { text: '1500' } });
    expect(play(chosen, '\r').effects).toEqual([]);
    expect(play(chosen, 'y').effects).toEqual([give]);
    expect(play(chosen, 'н').effects).toEqual([give]);
    expect(play(chosen, '500y').effects).toEqual([{ ...give, amount: 500 }]);
    expect(play(chosen, '\u007fy').effects).toEqual([{ ...give, amount: 150 }]);
  });

  it('of more than the remaining amount is rejected, and Esc cancels it', () => {
    const { state, effects } = play(chosen, '1501y');
    expect(effects).toEqual([]);
    expect(state.screen).toMatchObject({ field: { fault: 'Only 1 500 ₸ can be refunded.' } });
    expect(play(chosen, esc, 'y').effects).toEqual([]);
  });

  it('that is rejected replaces its amount with the next digit, and edits it with Backspace', () => {
    const refused = { on: 'not_refunded', key: 'shift-1', failure: failure('refused') } as const;
    for (const { state } of [play(chosen, '1600y'), play(chosen, '1600', '\u007f\u007f00y')]) {
      expect(state.screen).toMatchObject({ field: { text: '1600', fault: /Only 1 500 ₸/ } });
      expect(play(state, '5').state.screen).toMatchObject({ field: { text: '5' } });
      expect(play(state, '\u007f').state.screen).toMatchObject({ field: { text: '160' } });
    }
    const { state } = play(chosen, '700y', refused);
    expect(state.screen).toMatchObject({ field: { text: '700', fault: 'It says why.' } });
    expect(play(state, '5').state.screen).toMatchObject({ field: { text: '5' } });
    expect(play(state, '\u007f').state.screen).toMatchObject({ field: { text: '70' } });
  });

  it('in doubt is repeated under the same key', () => {
    const doubt = { on: 'not_refunded', key: 'shift-1', failure: failure('doubt') } as const;
    const { effects } = play(chosen, 'y', doubt, 'y');
    expect(effects).toEqual([give, { do: 'refresh' }, give]);
  });

  it('shows the remaining amount of the payment', () => {
    const done = { on: 'refunded', key: 'shift-1', left: 1000, note: undefined } as const;
    const { state } = play(chosen, 'y', done);
    expect(state.screen).toMatchObject({ step: 'returned', left: 1000 });
    expect(state.refunds).toEqual([]);
    expect(play(state, '\r').state.screen.name).toBe('amount');
  });

  describe('that is left with Esc while it is pending', () => {
    const left = play(chosen, 'y', esc).state;
    const again = [esc, 'r', { on: 'returnable', rows }, '\u001b[B', '\r'] as const;
    const answered = (kind: TillFailure['kind']) =>
      ({ on: 'not_refunded', key: 'shift-1', failure: failure(kind) }) as const;
    const done = { on: 'refunded', key: 'shift-1', left: 0, note: undefined } as const;

    it('is not requested again if the same payment and amount are selected again', () => {
      const { state, effects } = play(left, ...again, 'y');
      expect(effects).toEqual([{ do: 'list_returnable' }]);
      expect(state.screen).toMatchObject({ step: 'returning', key: 'shift-1', amount: 1500 });
      expect(play(state, done).state.screen).toMatchObject({ step: 'returned' });
      expect(play(left, ...again, '1500y').effects).toEqual([{ do: 'list_returnable' }]);
    });

    it('does not prevent a refund of a different amount, which has a new key', () => {
      expect(play(left, ...again, '500y').effects.at(-1)).toEqual({
        ...give,
        amount: 500,
        key: 'shift-2',
      });
    });

    it('stays in the list with its amount even if the bank no longer lists the payment', () => {
      const gone = { on: 'returnable', rows: [returnable('2')] } as const;
      const { state } = play(left, 'r', gone);
      expect(state.screen).toMatchObject({ rows: [{ id: '1' }, { id: '2' }] });
      const half = play(chosen, '700y', esc, 'r', { on: 'returnable', rows }, '\u001b[B', '\r');
      expect(half.state.screen).toMatchObject({ field: { text: '700' } });
    });

    it('is requested again under the same key when the gateway is available again', () => {
      const { state, effects } = play(left, answered('away'));
      expect(effects).toEqual([]);
      expect(state.notice).toEqual(left.notice);
      const back = play(state, { on: 'connection', away: undefined });
      expect(back.effects).toEqual([give]);
      expect(play(back.state, { on: 'connection', away: undefined }).effects).toEqual([]);
    });

    it('is requested again under the same key if it is in doubt, even after a rejection', () => {
      const { state, effects } = play(left, answered('doubt'));
      expect(effects).toEqual([{ do: 'bell' }, { do: 'refresh' }]);
      expect(state.notice).toMatchObject({
        text: 'refund in doubt',
        details: ['1 500 ₸', 'payment 1'],
      });
      const second = play(state, ...again, 'y');
      expect(second.effects.at(-1)).toEqual(give);
      const third = play(second.state, answered('refused'), ...again, 'y');
      expect(third.effects.at(-1)).toEqual(give);
    });

    it('has a new key the next time if it was rejected', () => {
      const { state } = play(left, answered('refused'));
      expect(state.notice).toMatchObject({ text: 'not returned' });
      expect(play(state, ...again, 'y').effects.at(-1)).toEqual({ ...give, key: 'shift-2' });
    });

    it('is reported with a bell on any screen when it is made', () => {
      const { state, effects } = play(left, '16', done);
      expect(effects).toEqual([{ do: 'bell' }]);
      expect(state.screen).toMatchObject({ name: 'amount', field: { text: '16' } });
      expect(state.notice).toMatchObject({ text: 'Returned', details: ['1 500 ₸', 'payment 1'] });
    });

    it('is still pending after the cashier leaves a sign-in for a different request', () => {
      const { state } = play(chosen, 'y', { on: 'signed_out' }, esc, ...again.slice(1), 'y');
      expect(state.screen).toMatchObject({ step: 'returning', key: 'shift-1' });
      expect(state.refunds).toHaveLength(1);
    });
  });

  it('that requires a sign-in is made after the sign-in, and never if the sign-in is cancelled', () => {
    const signedOut = {
      on: 'not_refunded',
      key: 'shift-1',
      failure: failure('signed_out'),
    } as const;
    const { state } = play(chosen, 'y', signedOut);
    const signedIn = { on: 'signed_in', shop: 'Дала', phone: '77011234567' } as const;
    expect(play(state, signedIn).effects).toContainEqual(give);
    const left = play(state, esc).state;
    expect(left.refunds).toEqual([]);
    expect(play(left, signedIn).effects).not.toContainEqual(give);
  });
});

describe('requests in doubt', () => {
  it('are counted again when one is added and after a sign-in', () => {
    const { effects } = play(opened, '1500\r', { on: 'not_made', sale, failure: failure('doubt') });
    expect(effects.at(-1)).toEqual({ do: 'refresh' });
    expect(play(opened, { on: 'refreshed', inDoubt: 3, isSandbox: false }).state.inDoubt).toBe(3);
  });
});

describe('a sign-in in place', () => {
  const signedOut = { on: 'not_made', sale, failure: failure('signed_out') } as const;
  const sent = { on: 'code_sent', processId: 'p1', said: 'Sent.' } as const;
  const signedIn = { on: 'signed_in', shop: 'Дала', phone: '77011234567' } as const;

  it('sends a code to a known phone immediately, and the sale continues under the same key', () => {
    const { state, effects } = play(opened, '1500\r', signedOut);
    expect(effects.at(-1)).toEqual({ do: 'send_code', phone: '77011234567' });
    const checked = play(state, sent, '123456\r');
    expect(checked.effects).toEqual([{ do: 'check_code', processId: 'p1', code: '123456' }]);
    const { effects: resumed } = play(checked.state, signedIn);
    expect(resumed).toEqual([{ do: 'create', sale }, { do: 'watch_again' }, { do: 'refresh' }]);
  });

  it('asks for the phone if it is unknown', () => {
    const { state } = play({ ...opened, phone: '' }, { on: 'signed_out' });
    expect(state.signingIn?.step).toBe('phone');
    expect(play(state, '8701 123 45 67\r').effects).toEqual([
      { do: 'send_code', phone: '77011234567' },
    ]);
  });

  it('asks again after a wrong code, and sends a new code when no attempts are left', () => {
    const wrong = (mayRetry: boolean) =>
      ({ on: 'not_signed_in', failure: failure('refused'), mayRetry }) as const;
    const { state } = play(opened, { on: 'signed_out' }, sent, '999999\r');
    expect(play(state, wrong(true)).state.signingIn).toMatchObject({ step: 'code' });
    expect(play(state, wrong(false), '\r').effects).toMatchObject([{ do: 'send_code' }]);
  });

  it('over a payment keeps its code, and does not open again automatically after Esc', () => {
    const { state } = play(opened, '1500\r', made);
    const polled = {
      on: 'polled',
      key: made.payment.key,
      failure: failure('signed_out'),
    } as const;
    const asked = play(state, polled);
    expect(asked.state.screen.name).toBe('payment');
    expect(asked.state.signingIn).toBeDefined();
    const left = play(asked.state, esc, polled);
    expect(left.state.signingIn).toBeUndefined();
    expect(play(left.state, 's').state.signingIn).toBeDefined();
  });
});

describe('open payments of the till', () => {
  it('that already exist are listed and watched once', () => {
    const taken = { on: 'opened', payments: [payment()] } as const;
    const { state, effects } = play(opened, taken, taken);
    expect(effects).toHaveLength(1);
    expect(play(state, 'o\r').state.screen).toMatchObject({ name: 'payment' });
  });
});

describe('leaving the till', () => {
  it.each(['', '1500\r', 'i', 'r', 'h', 't', 'o', '?'])('happens on Ctrl+C after %j', (keys) => {
    expect(play(opened, keys, '\u0003').effects.at(-1)).toEqual({ do: 'leave' });
    expect(play(opened, keys, esc).state.screen.name).toBe('amount');
  });
});

describe('an input line in plain mode', () => {
  const line = (text: string): TillEvent => ({ on: 'line', text });

  it('is read as an amount or a command, or rejected', () => {
    expect(play(opened, line('1 500,5')).effects).toMatchObject([{ sale: { amount: 1500.5 } }]);
    expect(play(opened, line('t')).effects).toEqual([{ do: 'add_up' }]);
    expect(play(opened, line('rubbish')).state.notice?.text).toContain('ignored');
    expect(play(opened, line('rubbish 1500')).effects).toEqual([]);
  });

  it('can select, confirm and leave a refund', () => {
    const rows = [returnable('2'), returnable('1')];
    const { state, effects } = play(
      opened,
      line('r'),
      { on: 'returnable', rows },
      line('2'),
      line('500'),
      line('y'),
    );
    expect(effects.at(-1)).toMatchObject({ do: 'refund', id: '1', amount: 500 });
    expect(play(state, line('b')).state.screen.name).toBe('amount');
  });
});
