import type { Command } from '../command.js';
import { nameOf, peopleOptions, personArgument, personView, withPerson } from './people-context.js';

export const command: Command = {
  description:
    'End all sign-ins of an account: every browser and program that is signed in asks for the password again. On files it is refused beside a running serve.',
  arguments: [personArgument],
  options: peopleOptions,
  examples: [{ command: 'msgsite users sign-out 3', description: 'After a phone was lost' }],
  run(context, input) {
    return withPerson(context, input, {
      label: 'users sign-out',
      async work(opened, { id }) {
        const user = await opened.people.signOutEverywhere(id);
        context.output.result(
          { user: personView(opened.config)(user) },
          () => `${nameOf(user)} is signed out everywhere.`,
        );
      },
    });
  },
};
