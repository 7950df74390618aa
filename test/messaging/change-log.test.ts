import { expect, it } from 'vitest';
import { createChangeLog } from '../../src/messaging/watch.js';

it('a change log gives each reading the changes since it began', () => {
  const log = createChangeLog();
  log.note({ chat: 1 });
  const first = log.begin();
  log.note({ chat: 2 });
  const second = log.begin();
  log.note({ chat: 3 });
  expect(log.since(first)).toEqual([{ chat: 2 }, { chat: 3 }]);
  expect(log.since(second)).toEqual([{ chat: 3 }]);
  log.end(first);
  log.note({ chat: 4 });
  expect(log.since(second)).toEqual([{ chat: 3 }, { chat: 4 }]);
  log.end(second);
  log.note({ chat: 5 });
  expect(log.since(log.begin())).toEqual([]);
});

it('readings that end out of order lose no changes', () => {
  const log = createChangeLog();
  const [first, second, third] = [log.begin(), log.begin(), log.begin()];
  log.note({ list: 1 });
  log.end(second);
  log.note({ list: 2 });
  expect(log.since(first)).toEqual([{ list: 1 }, { list: 2 }]);
  log.end(first);
  expect(log.since(third)).toEqual([{ list: 1 }, { list: 2 }]);
});

it('a reading reports unknown changes once more have come than are kept', () => {
  const log = createChangeLog();
  const long = log.begin();
  for (let n = 0; n < 10_000; n += 1) log.note({ chat: 1 });
  expect(log.since(long)).toHaveLength(10_000);
  log.note({ chat: 2 });
  const late = log.begin();
  log.note({ chat: 3 });
  expect(log.since(long)).toEqual(['unknown']);
  expect(log.since(late)).toEqual([{ chat: 3 }]);
  log.end(long);
  expect(log.since(late)).toEqual([{ chat: 3 }]);
});
