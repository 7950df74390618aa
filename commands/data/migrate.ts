import { readDatabaseSchema } from '../../src/app/database-schema.js';
import { AppError } from '../../src/base/errors.js';
import { migrate } from '../../src/storage/postgres/migrations.js';
import type { Command } from '../command.js';
import { configOf, configOptions } from '../config-options.js';
import { settingsOf } from '../taken-settings.js';

export const command: Command = {
  description:
    'Upgrade a PostgreSQL database to the schema of this version. Processes that use the database may keep running.',
  options: configOptions(...settingsOf('data migrate')),
  examples: [
    {
      command: 'msgsite data migrate --database postgres://msgsite@db.example/msgsite',
      description: 'Upgrade a database',
    },
  ],
  async run(context, input) {
    const { database } = configOf(context, input);
    if (database === undefined) {
      throw new AppError('usage', '--database (or MSGSITE_DATABASE) must name the database.');
    }
    const report = await migrate(database, await readDatabaseSchema());
    context.output.result(report, () =>
      [
        ...report.applied.map((name) => `Applied ${name}.`),
        `The database is at step ${report.version}.`,
      ].join('\n'),
    );
    return 0;
  },
};
