import { expect, test } from 'vitest';
import { startTestServer } from '../helpers/test-server.js';

test('a response lists at most a hundred violations and the number of further ones', async () => {
  const server = await startTestServer();
  const body = JSON.stringify(
    Object.fromEntries(Array.from({ length: 8000 }, (_, index) => [`p${index}`, 1])),
  );
  const answer = await fetch(`${server.site}/api/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
  });
  const { details } = (await answer.json()) as { details: { path: string; message: string }[] };
  expect(answer.status).toBe(400);
  expect(details).toHaveLength(101);
  expect(details.at(-1)).toEqual({ path: '', message: 'and 7902 more' });
  await server.close();
});

test('an unknown property name is truncated after 200 characters', async () => {
  const server = await startTestServer();
  const answer = await fetch(`${server.site}/api/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: 'a@b.kz', password: 'p', ['x'.repeat(50_000)]: 1 }),
  });
  const { details } = (await answer.json()) as { details: unknown };
  expect(details).toEqual([{ path: `/${'x'.repeat(200)}…`, message: 'is not a known property' }]);
  await server.close();
});
