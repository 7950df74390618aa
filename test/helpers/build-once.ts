import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isBuilt } from '../../scripts/lib/build-stamp.mjs';

/**
 * Builds dist/ before the suite if it is out of date, so that process tests run the current code. A read-only checkout
 * has not changed since its installation, which built dist/.
 */
export default function buildOnce(): void {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  if (!isWritable(root)) {
    if (existsSync(join(root, 'dist/main.js'))) return;
    throw new Error(
      `${root} is read-only and has not been built. Run npm ci before you make it read-only.`,
    );
  }
  if (isBuilt(root)) return;
  const { status } = spawnSync(process.execPath, [join(root, 'scripts/build.mjs')], {
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('The build failed. No tests were run.');
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
