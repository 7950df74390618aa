// Builds the pages in public/, and dist/: the validators generated from schemas/, the compiled TypeScript, the
// bundled command line, and the licences of the packages in it. With --action, it also updates the committed
// file of the Action.
import { spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, copyFileSync, cpSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { globSync } from 'tinyglobby';
import { buildPages } from './build-pages.mjs';
import { buildScreenAssets } from './build-screen-assets.mjs';
import { buildValidators } from './build-validators.mjs';
import { bundleCli, bundleValidateScreen } from './bundle-cli.mjs';
import { markBuilt } from './lib/build-stamp.mjs';
import { noticeOf, packagesOf } from './lib/notice.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = `${root}/dist`;

rmSync(dist, { recursive: true, force: true });
const validators = await buildValidators(root);
await buildScreenAssets(root);
await buildPages(root);
const tsc = ['node_modules/typescript/bin/tsc', '-p', 'scripts/tsconfig.build.json'];
const { status } = spawnSync(process.execPath, tsc, { cwd: root, stdio: 'inherit' });
process.exitCode = status ?? 1;
// The program reads these files from the folder of its code.
for (const file of globSync('src/**/*.sql', { cwd: root }))
  cpSync(`${root}/${file}`, `${dist}/${file}`);
if (status === 0) {
  const ofValidateScreen = [...validators, ...(await bundleValidateScreen(root))];
  // The Action consists only of this file, so the file contains the licences.
  const licences = (await noticeOf(packagesOf(ofValidateScreen))).replaceAll('*/', '* /');
  appendFileSync(`${dist}/validate-screen.cjs`, `/*\n${licences}*/\n`);
  if (process.argv.includes('--action')) {
    copyFileSync(`${dist}/validate-screen.cjs`, `${root}/action/validate-screen.cjs`);
    chmodSync(`${root}/action/validate-screen.cjs`, 0o755);
  }
  const bundled = [...ofValidateScreen, ...(await bundleCli(root))];
  writeFileSync(`${dist}/notice.txt`, await noticeOf(packagesOf(bundled)));
  markBuilt(root);
}
