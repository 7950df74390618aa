// The commands for screen definitions, which are loaded together.
export { command as previewScreen } from './preview-screen.js';
export { command as renderScreen } from './render-screen.js';
export { command as validateScreen } from './validate-screen.js';
