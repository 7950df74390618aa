import { expect, it } from 'vitest';
import { follow } from './follow.js';
import { followed } from './pages.js';

// Each step of a page is a process or two.
const timeout = 180_000;

it.each(Object.entries(followed))(
  '%s is right, followed as written',
  { timeout },
  async (page, reader) => {
    await expect(follow(page, reader)).resolves.toBeTruthy();
  },
);
