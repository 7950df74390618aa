import { expect, it } from 'vitest';
import { createPageRoom } from '../../src/messaging/routes/paging.js';

const mebibyte = 1024 * 1024;
const long = { limit: 1000, bytes: mebibyte };
const short = { limit: 100, bytes: 64 * 1024 };

function request() {
  let end = () => {};
  return {
    whenAnswered(listener: () => void) {
      end = listener;
    },
    answer: () => end(),
  };
}

it('pages are short while a large amount of data is being sent, and long again afterwards', () => {
  const room = createPageRoom(10 * mebibyte);
  const requests = Array.from({ length: 100 }, request);
  const extents = requests.map((each) => room.take(each).extent);
  expect(extents).toEqual([long, long, ...Array(98).fill(short)]);
  for (const each of requests) each.answer();
  expect(room.take(request()).extent).toEqual(long);
});

it('unused room of a short response is released immediately, and settling after the end has no effect', () => {
  const room = createPageRoom(4 * mebibyte);
  for (let n = 0; n < 50; n += 1) {
    const { extent, settle } = room.take(request());
    expect(extent).toEqual(long);
    settle(0);
  }
  const first = request();
  const { settle } = room.take(first);
  first.answer();
  settle(9 * mebibyte);
  expect(room.take(request()).extent).toEqual(long);
  expect(room.take(request()).extent).toEqual(short);
});
