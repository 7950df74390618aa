import { AppError, exitCodes } from '../../src/base/errors.js';
import type { Command, CommandContext } from '../command.js';
import { configOf, configOptions } from '../config-options.js';
import { settingsOf } from '../taken-settings.js';
import { withWebhooks } from './webhook-tools.js';

export const command: Command = {
  description:
    'Send to a receiver again that answered 410 Gone. What occurred meanwhile is not sent; webhooks replay --to does that.',
  arguments: [
    { name: '<url>', description: 'the address, as webhooks.json or webhooks list has it' },
  ],
  options: configOptions(...settingsOf('webhooks enable')),
  examples: [
    {
      command: 'msgsite webhooks enable https://shop.example/hooks/payments',
      description: 'A running serve sends there again within seconds',
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
    enabled > 0 ? `${url} gets events again.` : `${url} was not disabled.`,
  );
}

function noSubscription(url: string, file: string): AppError {
  return new AppError('not_found', `No subscription in ${file} has the address ${url}.`, {
    hint: '`msgsite webhooks list` shows them.',
  });
}

function disabledInFile(url: string): AppError {
  return new AppError('refused', `${url} is disabled in the webhooks file itself.`, {
    hint: 'Remove "enabled": false there; a running serve reads the file again within a second.',
  });
}
