// For generators of clients, by `node --import`: TypeScript 7, which the project is compiled with, has no
// programming interface yet. They are given that of TypeScript 6, of a package that brings no second `tsc`.
import { register } from 'node:module';

const hook = `
const instead = '@ts-morph/common/dist/typescript.js';
export function resolve(specifier, context, next) {
  return next(specifier === 'typescript' ? instead : specifier, context);
}`;

register(`data:text/javascript,${encodeURIComponent(hook)}`);
