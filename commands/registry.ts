import type { RegisteredCommand } from './command.js';

/** Groups of commands and what each is about. */
export const groups: Readonly<Record<string, string>> = {
  webhooks: 'look at, repeat and try webhooks',
  site: 'products to and from a spreadsheet',
  users: 'help people with their accounts: forgotten password, sign out, delete',
  data: 'look after the data: check, export, import, move',
  pay: 'the cashier’s terminal: QR payments, invoices, history, refunds',
};

/** Path, summary and file of every command. */
const table: Readonly<Record<string, readonly [string, RegisteredCommand['load']]>> = {
  serve: ['serve the site and the payment gateway', () => import('./serve.js')],
  sandbox: ['serve the sandbox payment provider', () => import('./sandbox.js')],
  'validate-screen': [
    'check screen definitions against the screen contract',
    () => import('./validate-screen.js'),
  ],
  'render-screen': ['write the page of a screen definition', () => import('./render-screen.js')],
  'preview-screen': [
    'look at a screen definition while you write it',
    () => import('./preview-screen.js'),
  ],
  'webhooks list': ['list stored webhook deliveries', () => import('./webhooks/list.js')],
  'webhooks replay': ['send stored webhooks again', () => import('./webhooks/replay.js')],
  'webhooks enable': [
    'send to a receiver again that answered 410',
    () => import('./webhooks/enable.js'),
  ],
  'webhooks secret': ['make a signing secret', () => import('./webhooks/secret.js')],
  'webhooks trigger': ['send a sample event', () => import('./webhooks/trigger.js')],
  'webhooks listen': ['receive, verify and print webhooks', () => import('./webhooks/listen.js')],
  'webhooks verify': [
    "check a received webhook's signatures",
    () => import('./webhooks/verify.js'),
  ],
  'pay login': ['sign in as a cashier with an SMS code', () => import('./pay/login.js')],
  'pay logout': ['end the session', () => import('./pay/logout.js')],
  'pay status': ['say who is signed in', () => import('./pay/status.js')],
  'pay till': ['take payments for a whole shift on one screen', () => import('./pay/till.js')],
  'pay qr': ['show a QR code for an amount and wait until it is paid', () => import('./pay/qr.js')],
  'pay invoice': [
    'bill a client’s phone and wait until it is paid',
    () => import('./pay/invoice.js'),
  ],
  'pay invoice show': ['show an invoice', () => import('./pay/invoice/show.js')],
  'pay invoice cancel': ['cancel an unpaid invoice', () => import('./pay/invoice/cancel.js')],
  'pay invoice list': ['list the latest 20 invoices', () => import('./pay/invoice/list.js')],
  'pay invoice client': [
    'look up whose phone number it is',
    () => import('./pay/invoice/client.js'),
  ],
  'pay wait': ['go on waiting for a payment', () => import('./pay/wait.js')],
  'pay payments': ['list the payments made here', () => import('./pay/payments.js')],
  'pay history': ['list the operations of a period', () => import('./pay/history.js')],
  'pay reconcile': [
    'compare a day with the provider, and say what to do',
    () => import('./pay/reconcile.js'),
  ],
  'pay adopt': [
    'take a payment in that the provider has, or close what was never made',
    () => import('./pay/adopt.js'),
  ],
  'pay report': ['add up a day, in all and by cashier', () => import('./pay/report.js')],
  'pay refund': ['return an amount of a paid operation', () => import('./pay/refund.js')],
  'users list': ['list the accounts of the chat', () => import('./users/list.js')],
  'users show': ['show an account', () => import('./users/show.js')],
  'users reset-code': ['make a code for a new password', () => import('./users/reset-code.js')],
  'users sign-out': ['sign somebody out everywhere', () => import('./users/sign-out.js')],
  'users delete': ['delete an account', () => import('./users/delete.js')],
  'site import': ['take products from a CSV', () => import('./site/import.js')],
  'site export': ['write the products as CSV', () => import('./site/export.js')],
  'data export': ['write everything to a file', () => import('./data/export.js')],
  'data import': [
    'fill an empty folder or database from an export',
    () => import('./data/import.js'),
  ],
  'data move': [
    'move everything between JSON files and PostgreSQL',
    () => import('./data/move.js'),
  ],
  'data migrate': ['prepare a PostgreSQL database', () => import('./data/migrate.js')],
  'data check': ['check every file of a data folder', () => import('./data/check.js')],
  audit: ['show who did what with money, and when', () => import('./audit.js')],
  version: ['print the version', () => import('./version.js')],
  completion: [
    'print a completion script for bash, zsh or fish',
    async () => ({ command: (await import('./completion.js')).completionOf({ commands, groups }) }),
  ],
};

/** Every command of the program. */
export const commands: readonly RegisteredCommand[] = Object.entries(table).map(
  ([path, [summary, load]]) => ({ path, summary, load }),
);
