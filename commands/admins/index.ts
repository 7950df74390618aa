// The `admins` commands, which are loaded together.

export { command as add } from './add.js';
export { command as list } from './list.js';
export { command as open } from './open.js';
export { command as revoke } from './revoke.js';
