import { expect, it } from 'vitest';
import { follow } from './follow.js';
import { followed } from './pages.js';

it.each(Object.entries(followed))('%s is right, followed as written', async (page, reader) => {
  await expect(follow(page, reader)).resolves.toBeTruthy();
});
