import { type SettingName, settings } from '../src/config/settings.js';
import type { OptionDefinition } from './command.js';

/** The flags of some settings, for a command's definition. */
export function configOptions(...names: readonly SettingName[]): OptionDefinition[] {
  return names.flatMap((name) => {
    const setting = settings[name];
    return 'flag' in setting ? [setting.flag] : [];
  });
}
