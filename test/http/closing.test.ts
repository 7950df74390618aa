import { EventEmitter, once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { type Clock, systemClock } from '../../src/base/clock.js';
import { groupOf, openTestApp } from '../helpers/test-app.js';

/** A clock on which the grace period of a stop never ends. */
const endlessGrace: Clock = {
  ...systemClock,
  sleep: (milliseconds, signal) =>
    systemClock.sleep(milliseconds === 8000 ? 2 ** 31 - 1 : milliseconds, signal),
};

test('an idle connection without a request does not delay a stop', async () => {
  const listener = await openTestApp({}, endlessGrace);
  const reserve = connect(listener.port, '127.0.0.1');
  reserve.on('error', () => {});
  await once(reserve, 'connect');
  const closed = once(reserve, 'close');
  await listener.close();
  await closed;
});

test('a request in progress is answered before a stop ends', async () => {
  const course = new EventEmitter();
  const handle = async () => {
    course.emit('asked');
    await once(course, 'end');
    return { status: 200, json: { ok: true } };
  };
  const groups = [groupOf([{ path: '/slow', handle }])];
  const listener = await openTestApp({ groups }, endlessGrace);
  const asked = once(course, 'asked');
  const answer = fetch(`${listener.url}/slow`);
  await asked;
  const stopping = listener.close();
  course.emit('end');
  expect(await (await answer).json()).toEqual({ ok: true });
  await stopping;
});
