import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { roomyFolder } from './roomy-folder.mjs';

/**
 * Gives the test run one folder for all that is temporary, browser and database included, and takes it
 * away as the last thing that the process does: what a test or a process that it killed has left goes, too.
 */
export const temporaryRoot = {
  name: 'temporary-root',
  configResolved(): void {
    const root = mkdtempSync(join(roomyFolder(), 'msgsite-'));
    // PostgreSQL's user must be able to pass through.
    chmodSync(root, 0o711);
    // Test files run in processes of their own, which inherit it.
    process.env.TMPDIR = root;
    process.once('exit', () => rmSync(root, { recursive: true, force: true, maxRetries: 3 }));
  },
};
