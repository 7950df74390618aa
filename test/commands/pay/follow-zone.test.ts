import { expect, it } from 'vitest';
import { followZone } from '../../../commands/pay/till.js';

it("followZone returns this machine's time zone and queries the gateway every 3 seconds until it responds", async () => {
  let now = 0;
  let asked = 0;
  const answers = [
    Promise.reject(new Error('Nobody is signed in.')),
    Promise.resolve('Asia/Almaty'),
  ];
  answers[0]?.catch(() => {});
  const zone = followZone(
    { zone: () => answers[asked++] ?? Promise.reject(new Error('Asked too often.')) },
    { monotonic: () => now },
  );
  const { timeZone: own } = new Intl.DateTimeFormat().resolvedOptions();
  expect(zone()).toBe(own);
  await new Promise(setImmediate);
  now = 2_999;
  expect([zone(), asked]).toEqual([own, 1]);
  now = 3_000;
  zone();
  await expect.poll(zone).toBe('Asia/Almaty');
  now = 10_000;
  expect([zone(), asked]).toEqual(['Asia/Almaty', 2]);
});
