// How packages are folded into the bundle: what stays outside, what is left out, and how those that are
// CommonJS reach Node.js.
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

/**
 * ink without the developer tools of React, which it loads only where a variable asks for them; and Yoga
 * without `fetch` for the bytes that it carries, which would load all of HTTP.
 */
export const withoutDevelopmentTools = {
  name: 'without-development-tools',
  setup({ onResolve, onLoad, onEnd }) {
    const replaced = new Set();
    onResolve({ filter: /^\.\/devtools\.js$/ }, ({ importer }) =>
      /[\\/]ink[\\/]build[\\/]/.test(importer) ? { path: 'devtools', namespace: 'left-out' } : undefined,
    );
    onLoad({ filter: /./, namespace: 'left-out' }, () => {
      replaced.add('devtools');
      return { contents: 'export {};' };
    });
  },
};
