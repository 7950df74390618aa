import { EventEmitter, once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { type Clock, systemClock } from '../../src/base/clock.js';
import { groupOf, openTestApp } from '../helpers/test-app.js';

/** A clock with which the grace period of a shutdown never ends. */
const endlessGrace: Clock = {
  ...systemClock,
  sleep: (milliseconds, signal) =>
    systemClock.sleep(milliseconds === 8000 ? 2 ** 31 - 1 : milliseconds, signal),
};

test('an idle connection without a request does not delay a shutdown', async () => {
  const listener = await openTestApp({}, endlessGrace);
  const reserve = connect(listener.port, '127.0.0.1');
  reserve.on('error', () => {});
  await once(reserve, 'connect');
  const closed = once(reserve, 'close');
  await listener.close();
  await closed;
});

test('a request in progress receives its response before a shutdown ends', async () => {
  const progress = new EventEmitter();
  const handle = async () => {
    progress.emit('start');
    await once(progress, 'end');
    return { status: 200, json: { ok: true } };
  };
  const groups = [groupOf([{ path: '/slow', handle }])];
  const listener = await openTestApp({ groups }, endlessGrace);
  const started = once(progress, 'start');
  const answer = fetch(`${listener.url}/slow`);
  await started;
  const stopping = listener.close();
  progress.emit('end');
  expect(await (await answer).json()).toEqual({ ok: true });
  await stopping;
});
