import { operator } from '../../src/base/audit.js';
import type { Command } from '../command.js';
import { nameOf, peopleOptions, personArgument, personView, withPerson } from './people-context.js';

export const command: Command = {
  description:
    'Sign a user out everywhere: every signed-in browser and program must sign in again. With data in files, stop serve first.',
  arguments: [personArgument],
  options: peopleOptions,
  examples: [
    { command: 'msgsite users sign-out 3', description: 'Sign out user 3, who lost a phone' },
  ],
  run(context, input) {
    return withPerson(context, input, {
      label: 'users sign-out',
      async work(opened, { id }) {
        const user = await opened.people.signOutEverywhere(operator, id);
        context.output.result(
          { user: personView(opened.config)(user) },
          () => `${nameOf(user)} is signed out everywhere.`,
        );
      },
    });
  },
};
