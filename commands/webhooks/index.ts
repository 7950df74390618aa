// The `webhooks` commands, which are loaded together.

export { command as enable } from './enable.js';
export { command as list } from './list.js';
export { command as listen } from './listen.js';
export { command as replay } from './replay.js';
export { command as secret } from './secret.js';
export { command as trigger } from './trigger.js';
export { command as verify } from './verify.js';
