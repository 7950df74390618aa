import { formatMoment } from '../../src/terminal/formats.js';
import { oneLine } from '../../src/terminal/table.js';
import type { Command } from '../command.js';
import { peopleOptions, personArgument, personView, withPerson } from './people-context.js';

export const command: Command = {
  description:
    'Show an account: name, e-mail address, date of registration, number of chats, and expiry of a reset code. If the data is in files, stop serve first.',
  arguments: [personArgument],
  options: peopleOptions,
  examples: [
    { command: 'msgsite users show 3', description: 'Show an account by ID' },
    {
      command: 'msgsite users show dana@shop.kz --json',
      description: 'Show an account by e-mail address',
    },
  ],
  run(context, input) {
    return withPerson(context, input, {
      label: 'users show',
      async work(opened, user) {
        const chats = (await opened.store.chats.listOf(user.id)).length;
        const { reset } = user;
        // Only the expiry of a reset code is shown.
        const resetExpiresAt =
          reset && reset.expires > context.clock.now()
            ? new Date(reset.expires).toISOString()
            : null;
        const shown = { ...personView(opened.config)(user), chats, resetExpiresAt };
        const zone = opened.config.providerZone;
        const at = (time: string) => formatMoment(Date.parse(time), zone).slice(0, 16);
        context.output.result({ user: shown }, () =>
          [
            ['ID', String(shown.id)],
            ['Name', shown.username],
            ['E-mail', shown.email],
            ['Since', at(shown.createdAt)],
            ['Chats', String(shown.chats)],
            ['About', shown.bio],
            ['Picture', user.avatar ?? ''],
            ['Reset code', shown.resetExpiresAt ? `valid until ${at(shown.resetExpiresAt)}` : ''],
          ]
            .filter(([, text]) => text !== '')
            .map(([title = '', text = '']) => `${title.padEnd(12)}${oneLine(text)}`)
            .join('\n'),
        );
      },
    });
  },
};
