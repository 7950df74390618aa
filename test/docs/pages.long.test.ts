import { expect, it } from 'vitest';
import { follow } from './follow.js';
import { followed } from './pages.js';

// generated-clients.long.test.ts follows this page, because it continues with the generated client.
const { 'docs/shop/http-api.md': _, ...others } = followed;

it.each(Object.entries(others))('%s works when followed as written', async (page, reader) => {
  await expect(follow(page, reader)).resolves.toBeTruthy();
});
