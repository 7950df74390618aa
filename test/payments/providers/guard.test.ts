import { describe, expect, it } from 'vitest';
import { guardProvider } from '../../../src/payments/providers/guard.js';
import type {
  PaymentProvider,
  ProviderAnswer,
  ProviderCall,
  ProviderError,
} from '../../../src/payments/providers/provider.js';
import { createManualClock } from '../../helpers/manual-clock.js';

const call: ProviderCall = { signal: new AbortController().signal };

function guarded(startSignIn: PaymentProvider['startSignIn']) {
  const clock = createManualClock();
  const provider = { startSignIn } as PaymentProvider; // Only this method is called.
  return { clock, guard: guardProvider(provider, { clock, timeout: 1000 }) };
}

const session = { tokenSN: 't', secret: 's' };
const refundInput = { session, qrOperationId: 5, returnAmount: 1 };

const answers = (answer: unknown) => async () => answer as ProviderAnswer;
const throws = (error: unknown) => async () => {
  throw error;
};

describe('guardProvider', () => {
  it('returns an answer unchanged', async () => {
    const { guard } = guarded(answers({ StatusCode: 0, more: [1] }));
    expect(await guard.startSignIn({}, call)).toEqual({ StatusCode: 0, more: [1] });
  });

  it.each([
    ['a StatusCode other than 0', answers({ StatusCode: -3, Message: 'No.' }), 'failure', 'No.'],
    ['a StatusCode of the wrong kind', answers({ StatusCode: null }), 'failure', 'The provider'],
    ['an answer that is not an object', answers(undefined), 'failure', 'not an object'],
    ['a plain error', throws(new Error('boom')), 'failure', 'The provider failed.'],
    ['a thrown undefined', throws(undefined), 'failure', 'The provider failed.'],
    [
      'an error with a kind',
      throws(Object.assign(new Error('Gone.'), { kind: 'not_found' })),
      'not_found',
      'Gone.',
    ],
  ])('turns %s into a typed failure', async (_, method, kind, message) => {
    const { guard } = guarded(method);
    const failure = expect(guard.startSignIn({}, call)).rejects;
    await failure.toMatchObject({ kind, message: expect.stringContaining(message) });
  });

  it.each([
    ['0', 0],
    ['0 as text', '0'],
    ['a big 0', 0n],
  ])('treats a StatusCode of %s as a success', async (_, StatusCode) => {
    const { guard } = guarded(answers({ StatusCode }));
    expect(await guard.startSignIn({}, call)).toEqual({ StatusCode });
  });

  it.each([
    ['a StatusCode other than 0', answers({ StatusCode: -10_110 }), true],
    ['a StatusCode beyond 2^53', answers({ StatusCode: 2n ** 60n }), true],
    ['a StatusCode of NaN', answers({ StatusCode: Number.NaN }), false],
    ['a StatusCode as text', answers({ StatusCode: '-10110' }), false],
    ['a StatusCode that is not a number', answers({ StatusCode: 'OK' }), false],
    ['an empty StatusCode', answers({ StatusCode: '' }), false],
    ['a StatusCode of null', answers({ StatusCode: null }), false],
    ['a missing StatusCode', answers({ Data: {} }), false],
    ['an answer that is not an object', answers('ok'), false],
    ['an answer that is too long', answers({ StatusCode: 0, a: 'x'.repeat(1e6) }), false],
    ['an error of the kind refused', throws({ kind: 'refused', message: 'No.' }), true],
    ['an error of the kind not_found', throws({ kind: 'not_found', message: 'No.' }), true],
    ['an error of the kind session_ended', throws({ kind: 'session_ended', message: 'No.' }), true],
    ['an error of the kind timeout', throws({ kind: 'timeout', message: 'No.' }), false],
    [
      'an error of the kind failure',
      throws({ kind: 'failure', message: 'No.', answer: { StatusCode: -1 } }),
      false,
    ],
    ['a failure before anything was sent', throws({ kind: 'failure', isClear: true }), true],
    ['an error before anything was sent', throws({ isClear: true }), true],
    ['a refusal whose outcome is not clear', throws({ kind: 'refused', isClear: false }), false],
    ['an error whose `isClear` is not a boolean', throws({ isClear: 'yes' }), false],
    ['an error of an unknown kind', throws({ kind: 'no', message: 'No.' }), false],
    ['an error', throws(new Error('boom')), false],
  ])('determines whether the outcome is clear for %s', async (_, method, isClear) => {
    const provider = { refund: method } as unknown as PaymentProvider; // Only this method is called.
    const guard = guardProvider(provider, { clock: createManualClock(), timeout: 1000 });
    await expect(guard.refund(refundInput, call)).rejects.toMatchObject({ isClear });
  });

  it('rejects a lookup with a clear outcome if the module does not support lookups', async () => {
    const { guard } = guarded(answers({}));
    const pending = guard.lookup({ session, operation: 'qr/create' }, call);
    await expect(pending).rejects.toMatchObject({ kind: 'failure', isClear: true });
  });

  const nested = (levels: number): object => (levels === 1 ? {} : { inner: nested(levels - 1) });
  const cycle: { self?: object } = {};
  cycle.self = cycle;

  it('accepts an answer with 64 levels', async () => {
    const { guard } = guarded(answers(nested(64)));
    expect(await guard.startSignIn({}, call)).toEqual(nested(64));
  });

  it.each([
    ['65 levels', nested(65), /nested more than 64 levels/],
    ['5,000 levels', nested(5000), /nested more than 64 levels/],
    ['a reference to itself', cycle, /nested more than 64 levels/],
    ['a text of two million characters', { text: 'x'.repeat(2_000_000) }, /too long/],
    ['a million values', { list: Array.from({ length: 1_000_001 }, () => 0) }, /too long/],
  ])('rejects an answer with %s in a success and in a failure', async (_, answer, message) => {
    const { guard } = guarded(answers(answer));
    await expect(guard.startSignIn({}, call)).rejects.toMatchObject({
      kind: 'failure',
      message: expect.stringMatching(message),
      details: {},
    });
    const said = 'No. '.repeat(1000);
    const refusing = guarded(throws({ kind: 'refused', message: said, answer })).guard;
    await expect(refusing.startSignIn({}, call)).rejects.toMatchObject({
      kind: 'refused',
      message: said.slice(0, 500),
      details: {},
    });
  });

  it('accepts an answer without a StatusCode only during a sign-in', async () => {
    const answer = { Data: { Status: 'Processed' } };
    const method = answers(answer);
    const provider = { startSignIn: method, refund: method } as unknown as PaymentProvider;
    const guard = guardProvider(provider, { clock: createManualClock(), timeout: 1000 });
    expect(await guard.startSignIn({}, call)).toEqual(answer);
    await expect(guard.refund(refundInput, call)).rejects.toMatchObject({
      kind: 'failure',
      message: "The provider's answer lacks a StatusCode.",
      details: answer,
    });
  });

  it('ends a hanging call and aborts it at the provider', async () => {
    let told = false;
    const { guard, clock } = guarded((_input, { signal }) => {
      signal.addEventListener('abort', () => {
        told = true;
      });
      return new Promise(() => {});
    });
    const pending = expect(guard.startSignIn({}, call)).rejects.toMatchObject({ kind: 'timeout' });
    await clock.advance(1000);
    await pending;
    expect(told).toBe(true);
  });

  it('applies the time-out to each call separately', async () => {
    const { guard, clock } = guarded(() => new Promise(() => {}));
    const ended: string[] = [];
    const ask = (name: string) =>
      guard.startSignIn({}, call).catch(() => {
        ended.push(`${name} ${clock.now() - start}`);
      });
    const start = clock.now();
    void ask('first');
    await clock.advance(400);
    void ask('second');
    await clock.advance(5000);
    void ask('third');
    await clock.advance(1000);
    expect(ended).toEqual(['first 1000', 'second 1400', 'third 6400']);
  });

  it('ends a call when its caller aborts', async () => {
    const { guard } = guarded(() => new Promise(() => {}));
    const caller = new AbortController();
    const pending = guard.startSignIn({}, { signal: caller.signal });
    caller.abort();
    await expect(pending).rejects.toMatchObject({ kind: 'failure' });
  });
});

describe('a closed provider', () => {
  async function close() {
    const signals: AbortSignal[] = [];
    const provider = {
      refund(_: unknown, { signal }: ProviderCall) {
        signals.push(signal);
        return new Promise(() => {});
      },
      close: async () => {},
    } as unknown as PaymentProvider; // Nothing else is called.
    const guard = guardProvider(provider, { clock: createManualClock(), timeout: 1000 });
    const pending = guard.refund(refundInput, call).catch((error: ProviderError) => error);
    await Promise.resolve();
    await guard.close();
    return { guard, pending, signals };
  }

  it('ends the calls in progress with an unknown outcome', async () => {
    const { pending, signals } = await close();
    expect(await pending).toMatchObject({
      message: 'The provider was closed before it responded.',
      isClear: false,
    });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  it('receives no more calls', async () => {
    const { guard, signals } = await close();
    await expect(guard.refund(refundInput, call)).rejects.toMatchObject({ isClear: true });
    expect(signals).toHaveLength(1);
  });
});

describe('a money call that is not answered in time', () => {
  async function begin() {
    const clock = createManualClock();
    let settle: { resolve(answer: ProviderAnswer): void; reject(error: Error): void } | undefined;
    const working = new Promise<ProviderAnswer>((resolve, reject) => {
      settle = { resolve, reject };
    });
    const seen: ProviderCall[] = [];
    const provider = {
      refund: (_: unknown, given: ProviderCall) => {
        seen.push(given);
        return working;
      },
      close: async () => {},
    } as unknown as PaymentProvider; // Nothing else is called.
    const guard = guardProvider(provider, { clock, timeout: 1000 });
    const pending = guard.refund(refundInput, call).catch((error: ProviderError) => error);
    await clock.advance(1000);
    const error = (await pending) as ProviderError;
    expect(error).toMatchObject({ kind: 'timeout', isClear: false });
    const work = { resolve: () => {}, reject: () => {}, ...settle };
    return { clock, work, guard, late: error.late, signal: seen[0]?.signal };
  }

  it('continues, and its error contains a promise of the late answer', async () => {
    const { clock, work, late, signal } = await begin();
    await clock.advance(59_999);
    expect(signal?.aborted).toBe(false);
    work.resolve({ StatusCode: 0, Data: { Id: 7 } });
    expect(await late).toEqual({ StatusCode: 0, Data: { Id: 7 } });
    await clock.advance(100_000);
    expect(signal?.aborted).toBe(false);
  });

  it('can be refused late', async () => {
    const { work, late } = await begin();
    work.resolve({ StatusCode: -5 });
    await expect(late).rejects.toMatchObject({ kind: 'failure', isClear: true });
  });

  it('can fail late without an unhandled rejection', async () => {
    const { work, late } = await begin();
    work.reject(new Error('boom'));
    await expect(late).rejects.toMatchObject({ kind: 'failure', isClear: false });
  });

  it('is aborted after another 60 s', async () => {
    const { clock, late, signal } = await begin();
    await clock.advance(60_000);
    await expect(late).rejects.toMatchObject({ kind: 'timeout', isClear: false });
    expect(signal?.aborted).toBe(true);
  });

  it('ends when the provider is closed', async () => {
    const { guard, late, signal, clock } = await begin();
    await guard.close();
    await expect(late).rejects.toMatchObject({ kind: 'timeout', isClear: false });
    expect(signal?.aborted).toBe(true);
    await clock.settle();
    expect(clock.sleepers).toBe(0);
  });
});
