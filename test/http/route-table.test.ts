import { expect, it } from 'vitest';
import { createRouteTable } from '../../src/http/app.js';

const routes = [
  ['GET', '/'],
  ['GET', '/api/users/:id'],
  ['PUT', '/api/users/me'],
  ['GET', '/api/users'],
  ['GET', '/avatars/:kind/:id/:file'],
  ['POST', '/api/auth/logout'],
  ['POST', '/api/auth/logout'],
] as const;

/** Returns the numbers and parameters of the routes that handle a request. Each route calls the next one. */
async function answersOf(method: string, path: string): Promise<unknown[]> {
  const table = createRouteTable();
  const answers: unknown[] = [];
  for (const [index, [ofMethod, ofPath]] of routes.entries()) {
    table.add(ofMethod, ofPath, async (ctx, next) => {
      answers.push([index, ctx.params]);
      await next();
    });
  }
  await table.answer(
    { req: { method }, path, request: {} } as never,
    async () => void answers.push('none'),
  );
  return answers;
}

it.each([
  ['GET', '/', [[0, {}], 'none']],
  ['HEAD', '/', [[0, {}], 'none']],
  ['GET', '//', ['none']],
  ['GET', '/api/users/7', [[1, { id: '7' }], 'none']],
  ['GET', '/api/users/me', [[1, { id: 'me' }], 'none']],
  ['PUT', '/api/users/me', [[2, {}], 'none']],
  ['PUT', '/api/users/7', ['none']],
  ['GET', '/api/users', [[3, {}], 'none']],
  ['GET', '/api/users/', [[3, {}], 'none']],
  ['GET', '/api/users//', ['none']],
  ['GET', '/api//users', ['none']],
  ['GET', '/api/Users', ['none']],
  ['GET', '/api/users/7/more', ['none']],
  ['GET', '/api', ['none']],
  ['GET', '*', ['none']],
  [
    'GET',
    '/avatars/user/1/%D0%90%2F.svg',
    [[4, { kind: 'user', id: '1', file: 'А/.svg' }], 'none'],
  ],
  ['GET', '/avatars/user/1/%D0.svg', [[4, { kind: 'user', id: '1', file: '%D0.svg' }], 'none']],
  ['GET', '/avatars/user/1/', ['none']],
  ['POST', '/api/auth/logout', [[5, {}], [6, {}], 'none']],
  ['GET', '/constructor', ['none']],
])('%s %s is handled by its matching routes in order', async (method, path, expected) => {
  expect(await answersOf(method, path)).toEqual(expected);
});

it('methodsOf returns the methods of a path, and HEAD if there is GET', () => {
  const table = createRouteTable();
  for (const [method, path] of routes) table.add(method, path, async () => {});
  expect(table.methodsOf('/api/users/me')).toEqual(['HEAD', 'GET', 'PUT']);
  expect(table.methodsOf('/api/users/7')).toEqual(['HEAD', 'GET']);
  expect(table.methodsOf('/nowhere')).toEqual([]);
});
