import { join } from 'node:path';
import { type DataChecker, restoreAdvice } from '../../storage/json/data-checker.js';
import { siteKinds } from '../records.js';
import { openJsonSiteStore } from './open.js';
import { readJsonSite } from './transfer.js';

/** Checks the site's file: it reads it as an export does, goes on after damage, and asks what an import asks. */
export const siteChecker: DataChecker = {
  name: 'site',
  async check(data, report) {
    const file = join(data, 'site.json');
    const checks = new Map(siteKinds().map(({ name, check }) => [name, check]));
    for (const { kind, read } of readJsonSite(file, report)) {
      for await (const record of read()) {
        const fault = checks.get(kind)?.(record);
        if (fault === undefined) continue;
        const message = `A ${kind} ${fault}.`;
        report({ severity: 'error', file, message, advice: restoreAdvice });
      }
    }
  },
  async repair(data, { tell }) {
    const path = join(data, 'site.json');
    // Opening sets aside what is damaged, and writes the rest anew.
    await openJsonSiteStore({
      path,
      onDamage({ file, line, message }, bytes) {
        const done = bytes ? 'It was set aside in damaged/.' : 'The file was written anew.';
        tell({ file, ...(line === undefined ? {} : { line }), message: `${message} ${done}` });
      },
    });
  },
};
