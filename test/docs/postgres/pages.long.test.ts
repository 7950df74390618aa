import { randomBytes } from 'node:crypto';
import { expect, inject, it } from 'vitest';
import { follow } from '../follow.js';
import { followedOnPostgres } from '../pages.js';

it.each(Object.entries(followedOnPostgres))(
  '%s works when followed as written',
  async (page, reader) => {
    const postgres = inject('postgres');
    const database = `test_${randomBytes(8).toString('hex')}`;
    const followed = follow(page, {
      ...reader,
      postgres,
      env: { DOCS_DATABASE: database },
      instead: { 'postgres://msgsite:password@db.example/shop': `${postgres}/${database}` },
    });
    await expect(followed).resolves.toBeTruthy();
  },
);
