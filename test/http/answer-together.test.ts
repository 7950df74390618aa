import type { Context } from 'koa';
import { expect, test } from 'vitest';
import { answerTogether, followTurns } from '../../src/http/answer/answer-together.js';

test('handlers that wait within one turn all resume together, after everything ready in that turn', async () => {
  const answer = answerTogether(followTurns());
  const endOfTurn = () => answer({} as Context, async () => {});
  const happened: string[] = [];
  const note = (what: string) => () => void happened.push(what);
  const first = endOfTurn().then(note('first'));
  await Promise.resolve().then(note('ready'));
  const second = endOfTurn().then(note('second'));
  process.nextTick(note('ready too'));
  setImmediate(note('next'));
  await Promise.all([first, second]);
  expect(happened).toEqual(['ready', 'ready too', 'first', 'second']);
  await endOfTurn();
  expect(happened.at(-1)).toBe('next');
});
