import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { roomyFolder } from './roomy-folder.mjs';

/**
 * Creates one folder for all temporary files of the test run, including browser and database, and removes it when the
 * process exits, with everything that tests and killed processes have left behind.
 */
export const temporaryRoot = {
  name: 'temporary-root',
  configResolved(): void {
    const root = mkdtempSync(join(roomyFolder(), 'msgsite-'));
    // PostgreSQL's user must be able to enter subfolders.
    chmodSync(root, 0o711);
    // Test files run in separate processes, which inherit the variable.
    process.env.TMPDIR = root;
    process.once('exit', () => rmSync(root, { recursive: true, force: true, maxRetries: 3 }));
  },
};
