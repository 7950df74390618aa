import { operator } from '../../src/base/audit.js';
import type { Command } from '../command.js';
import { nameOf, peopleOptions, personArgument, personView, withPerson } from './people-context.js';

export const command: Command = {
  description:
    'Sign a user out everywhere. The user must sign in again in every browser and program. If the data is in files, stop serve first.',
  arguments: [personArgument],
  options: peopleOptions,
  examples: [
    { command: 'msgsite users sign-out 3', description: 'Sign out a user who lost a phone' },
  ],
  run(context, input) {
    return withPerson(context, input, {
      label: 'users sign-out',
      async work(opened, { id }) {
        const user = await opened.people.signOutEverywhere(operator, id);
        context.output.result(
          { user: personView(opened.config)(user) },
          () => `${nameOf(user)} has been signed out everywhere.`,
        );
      },
    });
  },
};
