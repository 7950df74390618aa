import type { SettingName } from '../src/config/settings.js';

/** Settings that commands accept as flags, by the beginning of the command's path. The first match applies. */
const taken: Readonly<Record<string, readonly SettingName[]>> = {
  'data check': ['data'],
  'data migrate': ['database'],
  data: ['data', 'database'],
  site: ['data', 'database'],
  admins: ['data', 'database'],
  users: ['data', 'database'],
  'webhooks trigger': ['webhooks'],
  webhooks: ['data', 'database', 'webhooks'],
  pay: ['gateway', 'data', 'database', 'provider', 'webhooks'],
};

/** Returns the settings that a command accepts as flags. */
export function settingsOf(path: string): readonly SettingName[] {
  const [, names = []] = Object.entries(taken).find(([start]) => path.startsWith(start)) ?? [];
  return names;
}
