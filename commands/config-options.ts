import { type Config, readConfig } from '../src/config/config.js';
import { type SettingName, settings } from '../src/config/settings.js';
import type { CommandContext, CommandInput, OptionDefinition } from './command.js';

/** The flags of some settings, for a command's definition. */
export function configOptions(...names: readonly SettingName[]): OptionDefinition[] {
  return names.flatMap((name) => {
    const setting = settings[name];
    return 'flag' in setting ? [setting.flag] : [];
  });
}

/** The settings of a command: its flags over its environment over the defaults. */
export function configOf(
  { env, envFile, cwd }: CommandContext,
  { options: flags }: Pick<CommandInput, 'options'>,
): Config {
  return readConfig({ flags, env, envFile, cwd });
}
