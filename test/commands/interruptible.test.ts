import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { createLastWords, interruptible } from '../../commands/interruptible.js';
import { AppError } from '../../src/base/errors.js';
import { createOutput } from '../../src/terminal/output.js';

it('work that was reported as in doubt fails with the same error if it succeeds later', async () => {
  const interruption = new AbortController();
  const { signal } = interruption;
  const { during, current } = createLastWords(signal);
  let answer: (text: string) => void = () => {};
  const bank = new Promise<string>((resolve) => {
    answer = resolve;
  });
  const shown: string[] = [];
  const work = during(
    () => new AppError('in_doubt', 'It is not known.'),
    () => bank,
  ).then((text) => shown.push(text));
  const outcome = interruptible(signal, work, current);
  interruption.abort('SIGTERM');
  await expect(outcome).rejects.toMatchObject({ code: 'in_doubt' });
  answer('paid');
  await expect(work).rejects.toMatchObject({ code: 'in_doubt' });
  expect(shown).toEqual([]);
});

it('work that finishes soon after a signal still returns its result', async () => {
  const interruption = new AbortController();
  const { signal } = interruption;
  const { during, current } = createLastWords(signal);
  interruption.abort('SIGTERM');
  const work = during(
    () => new AppError('in_doubt', 'It is not known.'),
    async () => 'paid',
  );
  expect(await interruptible(signal, work, current)).toBe('paid');
});

it('a closed output prints neither a second document nor messages', () => {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const output = createOutput({ stdout, stderr, json: true, env: {} });
  output.result({ code: 'in_doubt' }, () => '');
  output.close();
  output.result({ paymentId: '1' }, () => '');
  output.line({ paymentId: '1' }, () => '');
  output.write('text');
  output.note('note');
  output.warn('warning');
  expect(JSON.parse(String(stdout.read()))).toEqual({ code: 'in_doubt' });
  expect(stderr.read()).toBeNull();
});
