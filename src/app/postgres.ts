// Everything that works on a database, loaded together and only where there is one.
export { openDatabaseSource, openDatabaseTarget } from '../transfer/database-place.js';
export { databaseRecords } from './database-records.js';
export { openPostgresStorage } from './postgres-storage.js';
