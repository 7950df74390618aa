import { expect, it } from 'vitest';
import { follow } from './follow.js';

it('the README is right when its blocks are pasted one after the other', async () => {
  await expect(follow('README.md')).resolves.toBeUndefined();
});
