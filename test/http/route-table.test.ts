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

/** Returns which routes answer a request, by number and parameters; each of them calls the next. */
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
    async () => void answers.push('nobody'),
  );
  return answers;
}

it.each([
  ['GET', '/', [[0, {}], 'nobody']],
  ['HEAD', '/', [[0, {}], 'nobody']],
  ['GET', '//', ['nobody']],
  ['GET', '/api/users/7', [[1, { id: '7' }], 'nobody']],
  ['GET', '/api/users/me', [[1, { id: 'me' }], 'nobody']],
  ['PUT', '/api/users/me', [[2, {}], 'nobody']],
  ['PUT', '/api/users/7', ['nobody']],
  ['GET', '/api/users', [[3, {}], 'nobody']],
  ['GET', '/api/users/', [[3, {}], 'nobody']],
  ['GET', '/api/users//', ['nobody']],
  ['GET', '/api//users', ['nobody']],
  ['GET', '/api/Users', ['nobody']],
  ['GET', '/api/users/7/more', ['nobody']],
  ['GET', '/api', ['nobody']],
  ['GET', '*', ['nobody']],
  [
    'GET',
    '/avatars/user/1/%D0%90%2F.svg',
    [[4, { kind: 'user', id: '1', file: 'А/.svg' }], 'nobody'],
  ],
  ['GET', '/avatars/user/1/%D0.svg', [[4, { kind: 'user', id: '1', file: '%D0.svg' }], 'nobody']],
  ['GET', '/avatars/user/1/', ['nobody']],
  ['POST', '/api/auth/logout', [[5, {}], [6, {}], 'nobody']],
  ['GET', '/constructor', ['nobody']],
])('%s %s is answered by its matching routes in order', async (method, path, expected) => {
  expect(await answersOf(method, path)).toEqual(expected);
});

it('methodsOf returns the methods of a path, HEAD with GET', () => {
  const table = createRouteTable();
  for (const [method, path] of routes) table.add(method, path, async () => {});
  expect(table.methodsOf('/api/users/me')).toEqual(['HEAD', 'GET', 'PUT']);
  expect(table.methodsOf('/api/users/7')).toEqual(['HEAD', 'GET']);
  expect(table.methodsOf('/nowhere')).toEqual([]);
});
