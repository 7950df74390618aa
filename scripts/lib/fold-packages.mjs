// How packages are folded into the bundle: what stays outside, what is left out, and how those that are
// CommonJS reach Node.js.
import { readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { inPackage } from './notice.mjs';

/**
 * Packages that stay where npm put them: sharp is compiled, and bcryptjs is run by threads that load it by
 * its path.
 */
const kept = ['sharp', 'bcryptjs'];

export const keepPackages = {
  name: 'keep-packages',
  setup({ onResolve }) {
    const filter = new RegExp(`^(${kept.join('|')})$`);
    onResolve({ filter }, ({ path }) => ({ path, external: true }));
  },
};

/**
 * Packages that are CommonJS get what Node.js has when they ask for it, and not before. commander needs
 * child_process, and with it the network stack, only for subcommands that are programs of their own: that
 * is left out.
 */
export const builtinsForCommonJs = {
  name: 'builtins-for-commonjs',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /./ }, ({ path, kind, importer }) => {
      if (kind !== 'require-call' || !isBuiltin(path)) return undefined;
      const isUnused = path.endsWith('child_process') && /[\\/]commander[\\/]/.test(importer);
      return { path: isUnused ? 'nothing' : path, namespace: 'builtin' };
    });
    onLoad({ filter: /./, namespace: 'builtin' }, ({ path }) => ({
      contents:
        path === 'nothing'
          ? 'module.exports = {};'
          : `module.exports = process.getBuiltinModule(${JSON.stringify(path)});`,
    }));
  },
};

/** One copy of a version of a package, wherever npm has put others: each would be read and prepared anew. */
export function oneCopyEach() {
  const copies = new Map();
  return {
    name: 'one-copy-each',
    setup({ onResolve, resolve }) {
      onResolve({ filter: /^[^./#]/ }, async ({ path, pluginData, ...asked }) => {
        const { kind, importer, resolveDir, namespace } = asked;
        if (pluginData === 'asked' || kind === 'entry-point' || isBuiltin(path)) return undefined;
        const options = { kind, importer, resolveDir, namespace, pluginData: 'asked' };
        const { errors, external, ...found } = await resolve(path, options);
        const [folder] = inPackage.exec(found.path) ?? [];
        if (!folder || external || errors.length > 0) return undefined;
        const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
        const version = `${manifest.name}@${manifest.version}`;
        if (!copies.has(version)) copies.set(version, folder);
        const { sideEffects, suffix } = found;
        return { path: copies.get(version) + found.path.slice(folder.length), sideEffects, suffix };
      });
    },
  };
}

/** What string-width gives the length of at once: letters and signs that take one column each and join no others. */
const oneColumn =
  '\\u0020-\\u007E\\u00A1-\\u00AC\\u00AE-\\u02FF\\u0400-\\u0482\\u048A-\\u052F\\u2010-\\u2027\\u20A0-\\u20BF\\u2500-\\u259F\\u25CB\\u2713\\u2717\\u2800-\\u28FF';

/** Where a package does more at its start than is needed here: file, and what is put in place of what in it. */
const changes = [
  {
    // The developer tools of React, and a check of what a variable says.
    file: /[\\/]ink[\\/]build[\\/]reconciler\.js$/,
    replacements: [[/\bisDev\(\)/g, 'false']],
  },
  {
    // Yoga would read the bytes that it carries with `fetch`, which loads all of HTTP.
    file: /[\\/]yoga-layout[\\/]dist[\\/]binaries[\\/]yoga-wasm-base64-esm\.js$/,
    replacements: [
      [
        /h\.wasmBinary&&\(w=h\.wasmBinary\);([\s\S]*"data:application\/octet-stream;base64,)([\w+/=]+)"/,
        'w=Buffer.from("$2","base64");$1"',
      ],
    ],
  },
  {
    // Tables of Unicode take longer to prepare than a screen to draw: they are made for a text that needs them.
    file: /[\\/]string-width[\\/]index\.js$/,
    since: '8.',
    replacements: [
      [/(?<!const )\b(\w+Regex)\b/g, '$1()'],
      [
        /^const (\w+Regex) = \/(.+)\/(\w*);$/gm,
        'let $1Made;\nconst $1 = () => ($1Made ??= new RegExp(String.raw`$2`, "$3"));',
      ],
      [/^const segmenter = new Intl\.Segmenter\(\);$/m, 'let segmenter;'],
      [/\bsegmenter\.segment\(/, '(segmenter ??= new Intl.Segmenter()).segment('],
      [
        /if \(\/\^\[\\u0020-\\u007E\]\*\$\/\.test\(string\)\) \{/,
        `if (/^[\\u0020-\\u007E]*$/.test(string) || (ambiguousIsNarrow && /^[${oneColumn}]*$/.test(string))) {`,
      ],
    ],
  },
];

/** The text of a package's file with such changes made; undefined where there are none. Fails where one has no place. */
export function changedText(path, text) {
  const change = changes.find(({ file }) => file.test(path));
  if (!change) return undefined;
  return change.replacements.reduce((before, [from, to]) => {
    const after = before.replace(from, to);
    if (after === before)
      throw new Error(`${path} is not what scripts/lib/fold-packages.mjs changes.`);
    return after;
  }, text);
}

export const quickStarts = {
  name: 'quick-starts',
  setup({ onLoad }) {
    for (const { file, since } of changes) {
      onLoad({ filter: file }, async ({ path }) => {
        if (since && !(await versionOf(path)).startsWith(since)) return undefined;
        return { contents: changedText(path, await readFile(path, 'utf8')) };
      });
    }
  },
};

async function versionOf(path) {
  const [folder] = inPackage.exec(path);
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')).version;
}

/** Large tables are text until somebody asks for them: V8 reads that much faster than the code of an object. */
export const tablesAsText = {
  name: 'tables-as-text',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]node_modules[\\/].*\.json$/ }, async ({ path }) => {
      const text = JSON.stringify(JSON.parse(await readFile(path, 'utf8')));
      return { contents: `module.exports = JSON.parse(${JSON.stringify(text)});`, loader: 'js' };
    });
  },
};
