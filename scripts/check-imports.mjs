// Enforces who may import whom: bin -> commands -> src, and the directions inside src.
// Reads every static and dynamic import of the sources and prints those that go the wrong way.
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { globSync } from 'tinyglobby';

const root = fileURLToPath(new URL('..', import.meta.url));
const features = ['messaging', 'site', 'payments', 'webhooks', 'screens'];
const wings = ['http', 'storage'];
/** What puts features and wings together. */
const assemblies = ['backend', 'transfer'];

/** Packages that do I/O or serve it: pure files stay free of them. */
const ioModules =
  /^(node:(fs|net|http|https|child_process|worker_threads|timers)|koa|lowdb|ky|pino)/;

/** The part of the house a file belongs to. */
function roomOf(path) {
  const [top, second, third] = path.split('/');
  if (top !== 'src') return top;
  return third === undefined ? 'src' : second;
}

/** Root files of src that put things together; everyone else must not know them. */
const composition = [
  'src/app/services.ts',
  'src/app/server.ts',
  'src/config/config.ts',
  'src/config/secrets.ts',
];

function faultOf(from, to) {
  const source = roomOf(from);
  const target = roomOf(to);
  if (source === target) return undefined;
  if (target === 'bin' || target === 'test') return `nothing imports ${target}`;
  if (target === 'commands') return source === 'bin' ? undefined : 'only bin imports commands';
  if (features.includes(source) && features.includes(target))
    return 'features do not know each other';
  if (wings.includes(source) && features.includes(target)) return 'wings do not know features';
  if (
    features.includes(source) &&
    target === 'storage' &&
    !/store|spool|checker|idempotency/.test(from)
  ) {
    return 'only a store backend of a feature touches storage';
  }
  if (
    features.includes(source) &&
    target === 'http' &&
    !/routes|auth|sandbox\/(server|control)/.test(from)
  ) {
    return 'only the routes (or the sandbox server) of a feature know HTTP';
  }
  const isPart = features.includes(source) || wings.includes(source);
  if (isPart && (composition.includes(to) || assemblies.includes(target))) {
    return 'the composition root is known to commands and itself only';
  }
  if (source === 'terminal' && target !== 'src') return 'the terminal knows no feature and no wing';
  return undefined;
}

const faults = [];
const files = globSync(['bin/**/*.js', 'commands/**/*.{ts,tsx}', 'src/**/*.{ts,tsx}'], {
  cwd: root,
});
for (const from of files) {
  const text = readFileSync(join(root, from), 'utf8');
  const isPure = /^\/\*\* ?pure\b/im.test(text.slice(0, 200));
  for (const [, specifier] of text.matchAll(/(?:from|import\(|import) ?'([^']+)'/g)) {
    if (isPure && ioModules.test(specifier))
      faults.push(`${from} is pure but imports ${specifier}`);
    if (!specifier.startsWith('.')) continue;
    const to = relative(root, join(root, dirname(from), specifier)).replace(/\.js$/, '.ts');
    const fault = faultOf(from, to);
    if (fault) faults.push(`${from} imports ${to}: ${fault}`);
  }
}
for (const fault of faults) console.error(fault);
console.log(`${files.length} files read, ${faults.length} imports in a wrong direction`);
process.exitCode = faults.length > 0 ? 1 : 0;
