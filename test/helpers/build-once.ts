import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Builds dist/ before the suite, so that process tests run the code that is being tested. */
export default function buildOnce(): void {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const { status } = spawnSync(process.execPath, [`${root}/scripts/build.mjs`], {
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('The build failed; nothing was tested.');
}
