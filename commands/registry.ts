import type { Command, RegisteredCommand } from './command.js';
import { completeCommand } from './complete.js';
import { command as completion } from './completion.js';
import type { Registry } from './route.js';
import { command as version } from './version.js';

/** Groups of commands and what each is about. */
const groups: Readonly<Record<string, string>> = {
  webhooks: 'look at, repeat and try webhooks',
  site: 'products to and from a spreadsheet',
  users: 'help people with their accounts: forgotten password, sign out, delete',
  data: 'look after the data: check, export, import, move',
  pay: 'the cashier’s terminal: QR payments, invoices, history, refunds',
};

// Commands that share most of what they load are one entry of the bundle.
const webhooks = () => import('./webhooks/index.js');
const servers = () => import('./servers.js');
const screens = () => import('./screens.js');
const pay = () => import('./pay/index.js');
const users = () => import('./users/index.js');
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
    'look at a screen definition while you write it',
    from(screens, 'previewScreen'),
  ],
  'webhooks list': ['list stored webhook deliveries', from(webhooks, 'list')],
  'webhooks replay': ['send stored webhooks again', from(webhooks, 'replay')],
  'webhooks enable': ['send to a receiver again that answered 410', from(webhooks, 'enable')],
  'webhooks secret': ['make a signing secret', from(webhooks, 'secret')],
  'webhooks trigger': ['send a sample event', from(webhooks, 'trigger')],
  'webhooks listen': ['receive, verify and print webhooks', from(webhooks, 'listen')],
  'webhooks verify': ["check a received webhook's signatures", from(webhooks, 'verify')],
  'pay login': ['sign in as a cashier with an SMS code', from(pay, 'login')],
  'pay logout': ['end the session', from(pay, 'logout')],
  'pay status': ['say who is signed in', from(pay, 'status')],
  'pay till': ['take payments for a whole shift on one screen', from(pay, 'till')],
  'pay qr': ['show a QR code for an amount and wait until it is paid', from(pay, 'qr')],
  'pay invoice': ['bill a client’s phone and wait until it is paid', from(pay, 'invoice')],
  'pay invoice show': ['show an invoice', from(pay, 'invoiceShow')],
  'pay invoice cancel': ['cancel an unpaid invoice', from(pay, 'invoiceCancel')],
  'pay invoice list': ['list the latest 20 invoices', from(pay, 'invoiceList')],
  'pay invoice client': ['look up whose phone number it is', from(pay, 'invoiceClient')],
  'pay wait': ['continue waiting for a payment', from(pay, 'wait')],
  'pay payments': ['list the payments made here', from(pay, 'payments')],
  'pay history': ['list the operations of a period', from(pay, 'history')],
  'pay reconcile': ['compare a day with the provider, and say what to do', from(pay, 'reconcile')],
  'pay adopt': [
    'take a payment in that the provider has, or close what was never made',
    from(pay, 'adopt'),
  ],
  'pay report': ['add up a day, in all and by cashier', from(pay, 'report')],
  'pay refund': ['return an amount of a paid operation', from(pay, 'refund')],
  'users list': ['list the accounts of the chat', from(users, 'list')],
  'users show': ['show an account', from(users, 'show')],
  'users reset-code': ['make a code for a new password', from(users, 'resetCode')],
  'users sign-out': ['sign somebody out everywhere', from(users, 'signOut')],
  'users delete': ['delete an account', from(users, 'deleteAccount')],
  'site import': ['take products from a CSV', from(site, 'importProducts')],
  'site export': ['write the products as CSV', from(site, 'exportProducts')],
  'data export': ['write everything to a file', from(data, 'exportData')],
  'data import': ['fill an empty folder or database from an export', from(data, 'importData')],
  'data move': ['move everything between JSON files and PostgreSQL', from(data, 'move')],
  'data migrate': ['prepare a PostgreSQL database', from(data, 'migrate')],
  'data check': ['check every file of a data folder', from(data, 'check')],
  audit: ['show who did what with money, and when', from(() => import('./audit.js'), 'command')],
  version: ['print the version', async () => version],
  completion: ['print a completion script for bash, zsh or fish', async () => completion],
  __complete: [
    'print what may follow the words of a command line',
    async () => completeCommand(registry),
  ],
};

/** Every command of the program; a name that begins with `_` is hidden from the help. */
export const commands: readonly RegisteredCommand[] = Object.entries(table).map(
  ([path, [summary, load]]) => ({ path, summary, load, hidden: path.startsWith('_') }),
);

export const registry: Registry = { commands, groups };
