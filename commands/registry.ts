import type { Command, RegisteredCommand } from './command.js';
import { completeCommand } from './complete.js';
import { command as completion } from './completion.js';
import type { Registry } from './route.js';
import { command as version } from './version.js';

/** Groups of commands and their summaries. */
const groups: Readonly<Record<string, string>> = {
  webhooks: 'list, repeat and test webhooks',
  site: 'import and export products as CSV',
  admins: 'manage access to the admin page',
  users: 'manage accounts: forgotten password, sign out, delete',
  data: 'check, export, import and move the data',
  pay: 'the cashier’s terminal: QR payments, invoices, history, refunds',
};

// Commands that share most of their code are one entry of the bundle.
const webhooks = () => import('./webhooks/index.js');
const servers = () => import('./servers.js');
const screens = () => import('./screens.js');
const pay = () => import('./pay/index.js');
const users = () => import('./users/index.js');
const admins = () => import('./admins/index.js');
const site = () => import('./site/index.js');
const data = () => import('./data/index.js');

/** Returns the loader of one command of an entry. */
function from<Name extends string>(load: () => Promise<Record<Name, Command>>, name: Name) {
  return async () => (await load())[name];
}

/** Path, summary and loader of every command. */
const table: Readonly<Record<string, readonly [string, RegisteredCommand['load']]>> = {
  serve: ['serve the site and the payment gateway', from(servers, 'serve')],
  sandbox: ['serve the sandbox payment provider', from(servers, 'sandbox')],
  'validate-screen': [
    'check screen definitions against the screen contract',
    from(screens, 'validateScreen'),
  ],
  'render-screen': ['write the page of a screen definition', from(screens, 'renderScreen')],
  'preview-screen': [
    'preview a screen definition while you write it',
    from(screens, 'previewScreen'),
  ],
  'webhooks list': ['list stored webhook deliveries', from(webhooks, 'list')],
  'webhooks replay': ['send stored webhooks again', from(webhooks, 'replay')],
  'webhooks enable': ['send again to a receiver that answered 410', from(webhooks, 'enable')],
  'webhooks secret': ['generate a signing secret', from(webhooks, 'secret')],
  'webhooks trigger': ['send a sample event', from(webhooks, 'trigger')],
  'webhooks listen': ['receive, verify and print webhooks', from(webhooks, 'listen')],
  'webhooks verify': ["check a received webhook's signatures", from(webhooks, 'verify')],
  'pay login': ['sign in as a cashier with an SMS code', from(pay, 'login')],
  'pay logout': ['end the session', from(pay, 'logout')],
  'pay status': ['show who is signed in', from(pay, 'status')],
  'pay till': ['take payments for a whole shift on one screen', from(pay, 'till')],
  'pay qr': ['show a QR code for an amount and wait for the payment', from(pay, 'qr')],
  'pay invoice': [
    'send an invoice to a client’s phone and wait for the payment',
    from(pay, 'invoice'),
  ],
  'pay invoice show': ['show an invoice', from(pay, 'invoiceShow')],
  'pay invoice cancel': ['cancel an unpaid invoice', from(pay, 'invoiceCancel')],
  'pay invoice list': ['list the latest 20 invoices', from(pay, 'invoiceList')],
  'pay invoice client': ['look up a client by phone number', from(pay, 'invoiceClient')],
  'pay wait': ['continue waiting for a payment', from(pay, 'wait')],
  'pay payments': ['list the payments made here', from(pay, 'payments')],
  'pay history': ['list the operations of a period', from(pay, 'history')],
  'pay reconcile': ['compare a day with the provider and show what to do', from(pay, 'reconcile')],
  'pay adopt': [
    'adopt a payment from the provider, or close one that was never made',
    from(pay, 'adopt'),
  ],
  'pay report': ['show the totals of a day, in all and by cashier', from(pay, 'report')],
  'pay refund': ['refund an amount of a paid operation', from(pay, 'refund')],
  'users list': ['list the accounts of the chat', from(users, 'list')],
  'users show': ['show an account', from(users, 'show')],
  'users reset-code': ['generate a code for a new password', from(users, 'resetCode')],
  'users sign-out': ['sign somebody out everywhere', from(users, 'signOut')],
  'users delete': ['delete an account', from(users, 'deleteAccount')],
  'admins add': ['give a person access to the admin page', from(admins, 'add')],
  'admins list': ['list the people with access', from(admins, 'list')],
  'admins revoke': ['end the access of a person', from(admins, 'revoke')],
  'admins open': ['let everybody use the admin page', from(admins, 'open')],
  'site import': ['import products from a CSV file', from(site, 'importProducts')],
  'site export': ['write the products as CSV', from(site, 'exportProducts')],
  'data export': ['write everything to a file', from(data, 'exportData')],
  'data import': ['fill an empty folder or database from an export', from(data, 'importData')],
  'data move': ['move everything between JSON files and PostgreSQL', from(data, 'move')],
  'data migrate': ['prepare a PostgreSQL database', from(data, 'migrate')],
  'data check': ['check every file of a data folder', from(data, 'check')],
  audit: ['show who did what with money, and when', from(() => import('./audit.js'), 'command')],
  version: ['print the version', async () => version],
  completion: ['print a completion script for bash, zsh or fish', async () => completion],
  __complete: ['complete the last word of a command line', async () => completeCommand(registry)],
};

/** Every command of the program; the help hides names that start with `_`. */
export const commands: readonly RegisteredCommand[] = Object.entries(table).map(
  ([path, [summary, load]]) => ({ path, summary, load, hidden: path.startsWith('_') }),
);

export const registry: Registry = { commands, groups };
