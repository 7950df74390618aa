// The `pay` commands, which are loaded together.

export { command as adopt } from './adopt.js';
export { command as history } from './history.js';
export {
  invoice,
  invoiceCancel,
  invoiceClient,
  invoiceList,
  invoiceShow,
} from './invoice.js';
export { command as login } from './login.js';
export { command as logout } from './logout.js';
export { command as payments } from './payments.js';
export { command as qr } from './qr.js';
export { command as reconcile } from './reconcile.js';
export { command as refund } from './refund.js';
export { command as report } from './report.js';
export { command as status } from './status.js';
export { command as till } from './till.js';
export { command as wait } from './wait.js';
