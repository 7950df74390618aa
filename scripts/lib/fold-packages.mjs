// How packages are folded into the bundle: what stays outside, what is left out, and how those that are
// CommonJS reach Node.js.
import { readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';

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

/** Where a package does more at its start than is needed here: file, what is in it, and what is put there. */
const changes = [
  {
    // The developer tools of React, and a check of what a variable says.
    file: /[\\/]ink[\\/]build[\\/]reconciler\.js$/,
    from: /\bisDev\(\)/g,
    to: 'false',
  },
  {
    // Yoga would read the bytes that it carries with `fetch`, which loads all of HTTP.
    file: /[\\/]yoga-layout[\\/]dist[\\/]binaries[\\/]yoga-wasm-base64-esm\.js$/,
    from: /h\.wasmBinary&&\(w=h\.wasmBinary\);([\s\S]*"data:application\/octet-stream;base64,)([\w+/=]+)"/,
    to: 'w=Buffer.from("$2","base64");$1"',
  },
];

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

/** Makes these changes, and fails where a new version of a package has nothing to change. */
export function quickStarts() {
  const made = new Set();
  return {
    name: 'quick-starts',
    setup({ onLoad, onEnd }) {
      for (const { file, from, to } of changes) {
        onLoad({ filter: file }, async ({ path }) => {
          const text = await readFile(path, 'utf8');
          const contents = text.replace(from, to);
          if (contents !== text) made.add(file);
          return { contents };
        });
      }
      onEnd(() => {
        const missing = changes.filter(({ file }) => !made.has(file));
        if (missing.length > 0) throw new Error(`Nothing to change in ${missing[0].file}.`);
      });
    },
  };
}
