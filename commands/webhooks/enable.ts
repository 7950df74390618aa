import { AppError, exitCodes } from '../../src/base/errors.js';
import type { Command, CommandContext } from '../command.js';
import { configOf, configOptions } from '../config-options.js';
import { settingsOf } from '../taken-settings.js';
import { withWebhooks } from './webhook-tools.js';

export const command: Command = {
  description:
    'Enable a receiver that was disabled because it responded with 410 Gone. Missed events are not sent. To send them, use webhooks replay --to.',
  arguments: [{ name: '<url>', description: 'the address as in webhooks.json or webhooks list' }],
  options: configOptions(...settingsOf('webhooks enable')),
  examples: [
    {
      command: 'msgsite webhooks enable https://shop.example/hooks/payments',
      description: 'Send webhooks to the receiver again',
    },
  ],
  run(context, input) {
    const config = configOf(context, input);
    const url = String(input.arguments[0]);
    const work = { config, purpose: 'share', label: 'webhooks enable' } as const;
    return withWebhooks(context, work, async (webhooks) => {
      const before = await webhooks.enable(url);
      if (before.length === 0) throw noSubscription(url, config.webhooks);
      const enabled = before.filter(({ disabledBy }) => disabledBy === '410').length;
      if (before.every(({ disabledBy }) => disabledBy === 'file')) throw disabledInFile(url);
      const shown = before[0]?.url ?? url;
      report(context, shown, enabled);
      return exitCodes.done;
    });
  },
};

function report({ output }: CommandContext, url: string, enabled: number): void {
  output.result({ url, enabled }, () =>
    enabled > 0 ? `${url} receives events again.` : `${url} was not disabled.`,
  );
}

function noSubscription(url: string, file: string): AppError {
  return new AppError('not_found', `No subscription in ${file} has the address ${url}.`, {
    hint: 'Run `msgsite webhooks list` to list the subscriptions.',
  });
}

function disabledInFile(url: string): AppError {
  return new AppError('refused', `${url} is disabled in the webhooks file.`, {
    hint: 'Remove "enabled": false from the file. A running server reloads it within a second.',
  });
}
