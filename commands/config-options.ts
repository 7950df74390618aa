import { type Config, readConfig } from '../src/config/config.js';
import { type SettingName, settings } from '../src/config/settings.js';
import type { CommandContext, CommandInput, OptionDefinition } from './command.js';

/** Returns the definitions of the flags for settings. */
export function configOptions(...names: readonly SettingName[]): OptionDefinition[] {
  return names.flatMap((name) => {
    const setting = settings[name];
    return 'flag' in setting ? [setting.flag] : [];
  });
}

/** Reads the settings of a command. Flags override environment variables, which override defaults. */
export function configOf(
  { env, envFile, cwd }: CommandContext,
  { options: flags }: Pick<CommandInput, 'options'>,
): Config {
  return readConfig({ flags, env, envFile, cwd });
}
