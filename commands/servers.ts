// The commands that run servers, which are loaded together.
export { command as sandbox } from './sandbox.js';
export { command as serve } from './serve.js';
