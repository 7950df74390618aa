import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.js';
import * as read from '../../src/config/readers.js';
import { type SettingName, settings, variableOf } from '../../src/config/settings.js';

const documentation = await readFile(
  new URL('../../docs/start/configuration.md', import.meta.url),
  'utf8',
);

describe('the documentation of settings', () => {
  test.each(Object.keys(settings) as SettingName[])(
    'contains the variable, flag and default of %s',
    (name) => {
      const setting = settings[name];
      const variable = variableOf(name);
      const row = documentation.split('\n').find((line) => line.includes(`\`${variable}\``)) ?? '';
      expect(row).not.toBe('');
      if ('flag' in setting) expect(row).toContain(/--[\w-]+/.exec(setting.flag.flags)?.[0]);
      if ('default' in setting && setting.default !== '') expect(row).toContain(setting.default);
    },
  );
});

describe('the reader of a setting', () => {
  test.each<[string, (text: string, cwd: string) => unknown, string, unknown]>([
    ['port', read.port, '0', 0],
    ['port', read.port, '65535', 65_535],
    ['path', read.path, './data', '/shop/data'],
    ['path', read.path, '/var/data', '/var/data'],
    ['onOff', read.onOff, 'off', false],
    ['pauses', read.pauses, '0,5,30', [0, 5000, 30_000]],
    ['pauses', read.pauses, '0.1', [100]],
    ['duration', read.duration, '7d', 604_800],
    ['duration', read.duration, '90s', 90],
    ['webAddress', read.webAddress, 'https://shop.kz/', 'https://shop.kz'],
    ['webAddress', read.webAddress, 'http://shop.kz/a/', 'http://shop.kz/a'],
    ['list', read.list, ' a, ,b ', ['a', 'b']],
    [
      'origins',
      read.origins,
      'https://shop.kz,http://localhost:5173',
      ['https://shop.kz', 'http://localhost:5173'],
    ],
    ['proxyRanges', read.proxyRanges, '10.0.0.0/8,::1', ['10.0.0.0/8', '::1']],
    ['timeZone', read.timeZone, 'Asia/Almaty', 'Asia/Almaty'],
    ['timeOfDay', read.timeOfDay, '04:00', '04:00'],
    ['timeOfDay', read.timeOfDay, '23:59', '23:59'],
    ['timeOfDay', read.timeOfDay, 'off', null],
    ['provider', read.provider, 'sandbox', 'sandbox'],
    ['provider', read.provider, 'https://bank.kz/api/', 'https://bank.kz/api'],
    ['provider', read.provider, './bank.mjs', '/shop/bank.mjs'],
    ['hostName', read.hostName, '[::1]', '::1'],
    ['secret', read.secret, ' a b ', ' a b '],
    ['adminToken', read.adminToken, 'sixteen letters!', 'sixteen letters!'],
  ])('reads the %s %s', (_name, reader, text, value) => {
    expect(reader(text, '/shop')).toEqual(value);
  });

  test.each<[string, (text: string, cwd: string) => unknown, string]>([
    ['secret', read.secret, ' \t'],
    ['timeOfDay', read.timeOfDay, '4:00'],
    ['timeOfDay', read.timeOfDay, '24:00'],
    ['timeOfDay', read.timeOfDay, '04:60'],
    ['adminToken', read.adminToken, 'fifteen letters'],
    ['adminToken', read.adminToken, ' fifteen letters '],
    ['port', read.port, '65536'],
    ['port', read.port, '-1'],
    ['port', read.port, '3e3'],
    ['onOff', read.onOff, 'yes'],
    ['pauses', read.pauses, ''],
    ['pauses', read.pauses, '0,,5'],
    ['pauses', read.pauses, '-1'],
    ['duration', read.duration, '7'],
    ['duration', read.duration, '0d'],
    ['webAddress', read.webAddress, 'shop.kz'],
    ['webAddress', read.webAddress, 'ftp://shop.kz'],
    ['webAddress', read.webAddress, 'https://user@shop.kz'],
    ['origins', read.origins, 'https://shop.kz/path'],
    ['origins', read.origins, '*'],
    ['proxyRanges', read.proxyRanges, '10.0.0.0/99'],
    ['timeZone', read.timeZone, 'Almaty'],
    ['provider', read.provider, 'ftp://bank.kz'],
    ['hostName', read.hostName, 'a b'],
    ['databaseAddress', read.databaseAddress, 'mysql://localhost'],
  ])('rejects the %s %j and states what is valid', (_name, reader, text) => {
    expect(() => reader(text, '/shop')).toThrow(/must (not )?be/);
  });
});

describe('readConfig', () => {
  const configOf = (env: Record<string, string>) => readConfig({ flags: {}, env, cwd: '/shop' });

  test.each([
    ['MSGSITE_METRICS_HOST', '[::1]', 'metricsHost', '::1'],
    ['MSGSITE_HOSTS', 'pay.shop.kz, shop.kz', 'hosts', ['pay.shop.kz', 'shop.kz']],
    ['MSGSITE_WEBHOOK_TIMEOUT', '2.5', 'webhookTimeout', 2_500],
    ['MSGSITE_WEBHOOK_PRIVATE', 'deny', 'webhookPrivate', 'deny'],
    ['MSGSITE_WEBHOOK_RETENTION', '36h', 'webhookRetention', 129_600],
    ['MSGSITE_WEBHOOK_DROPPED_RETENTION', '2d', 'webhookDroppedRetention', 172_800],
    ['MSGSITE_ORDER_CONTACT_DAYS', '30', 'orderContactDays', 30],
    ['MSGSITE_PAYMENT_RETENTION', '90d', 'paymentRetention', 7_776_000],
  ] as const)('reads %s=%s', (variable, text, name, value) => {
    expect(configOf({ [variable]: text })[name]).toEqual(value);
    // An empty variable is treated as unset.
    expect(configOf({ [variable]: '' })[name]).toEqual(configOf({})[name]);
  });

  test('reports every invalid setting by its variable', () => {
    const env = {
      MSGSITE_WEBHOOK_TIMEOUT: '601',
      MSGSITE_WEBHOOK_PRIVATE: 'no',
      MSGSITE_PAYMENT_RETENTION: '1d',
    };
    const faults = () => configOf(env);
    expect(faults).toThrow(
      expect.objectContaining({
        details: Object.keys(env).map((path) => expect.objectContaining({ path })),
      }),
    );
  });
});
