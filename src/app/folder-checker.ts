import { systemFiles } from '../base/files/file-layer.js';
import { type DataChecker, type Report, reportError } from '../storage/json/check/data-checker.js';
import { setFileAside } from '../storage/json/check/set-aside.js';
import {
  dataFormat,
  formatFile,
  hasDataFormat,
  writeDataFormat,
} from '../storage/json/data-folder/data-format.js';
import { markFile, readFolderMark } from '../storage/json/data-folder/folder-mark.js';
import { createSecrets, readSecrets, secretsFile } from '../storage/json/data-folder/secrets.js';

/** A file of a data folder that is of no feature. */
interface OwnFile {
  readonly file: string;
  /** Throws `data_damaged`. */
  read(): unknown;
  /** Says or does what is in the place of a damaged one that was set aside, and tells what that means. */
  replace(): string | Promise<string>;
}

/** The files that say what the folder is, and its secrets. */
function ownFiles(data: string): readonly OwnFile[] {
  return [
    {
      file: formatFile(data),
      read: () => hasDataFormat(data),
      async replace() {
        await writeDataFormat(data);
        return `It says again that the format is ${dataFormat}.`;
      },
    },
    {
      file: markFile(data),
      read: () => readFolderMark(data),
      replace: () =>
        'If an import was cut off here, do it again into an empty folder; if the data was moved away, go on with the other place.',
    },
    {
      file: secretsFile(data),
      read: () => readSecrets(secretsFile(data)),
      async replace() {
        await createSecrets(data);
        return 'New secrets were made: all tokens and cashier sessions have ended, unless the settings give their secrets.';
      },
    },
  ];
}

/** Checks and repairs what the folder as a whole has. */
export const folderChecker: DataChecker = {
  name: 'folder',
  async check(data, report) {
    for (const own of ownFiles(data)) await check(own, report);
  },
  async repair(data, { tell }) {
    for (const own of ownFiles(data)) {
      let message: string | undefined;
      await check(own, (finding) => {
        message = finding.message;
      });
      if (message === undefined) continue;
      const { file } = own;
      const kept = await setFileAside(systemFiles, data, file);
      tell({
        file,
        line: 1,
        message: `${message} It was set aside as ${kept}. ${await own.replace()}`,
      });
    }
  },
};

async function check({ file, read }: OwnFile, report: Report): Promise<void> {
  try {
    await read();
  } catch (error) {
    reportError(error, file, (finding) => report({ line: 1, ...finding }));
  }
}
