import { formatMoment } from '../../src/terminal/formats.js';
import { oneLine } from '../../src/terminal/table.js';
import type { Command } from '../command.js';
import { moreOf, peopleOptions, personArgument, personView, withPerson } from './people-context.js';

export const command: Command = {
  description:
    'Show an account: name, e-mail address, since when, in how many chats, and until when a reset code counts. On files it is refused beside a running serve.',
  arguments: [personArgument],
  options: peopleOptions,
  examples: [
    { command: 'msgsite users show 3', description: 'By number' },
    { command: 'msgsite users show dana@shop.kz --json', description: 'By e-mail address' },
  ],
  run(context, input) {
    return withPerson(context, input, {
      label: 'users show',
      async work(opened, user) {
        const chats = (await opened.store.chats.listOf(user.id)).length;
        const more = moreOf(user, { now: context.clock.now(), chats });
        const shown = { ...personView(opened.config)(user), ...more };
        const zone = opened.config.providerZone;
        const at = (time: string) => formatMoment(Date.parse(time), zone).slice(0, 16);
        context.output.result({ user: shown }, () =>
          [
            ['Number', String(shown.id)],
            ['Name', shown.username],
            ['E-mail', shown.email],
            ['Since', at(shown.createdAt)],
            ['Chats', String(shown.chats)],
            ['About', shown.bio],
            ['Picture', user.avatar ?? ''],
            ['Reset code', shown.resetExpiresAt ? `counts until ${at(shown.resetExpiresAt)}` : ''],
          ]
            .filter(([, text]) => text !== '')
            .map(([title = '', text = '']) => `${title.padEnd(12)}${oneLine(text)}`)
            .join('\n'),
        );
      },
    });
  },
};
