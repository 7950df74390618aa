import { argumentEntries, type CompletionCommand, flagEntries, repeatableFlags } from './words.js';

/** What a shell keeps words in, each in the form of a branch of `case`. */
export interface CaseBranches {
  /** What stands before the branches: empties what they fill. */
  readonly begin?: string;
  readonly names: readonly string[];
  readonly flags: readonly string[];
}

/** The tables of all commands as functions that bash and zsh read alike. */
export function caseFunctions(
  commands: readonly CompletionCommand[],
  { begin, names, flags }: CaseBranches,
): string {
  const values = flagEntries(commands).map(
    ({ name, kind, places }) =>
      `    ${places.map((place) => `'${place}'`).join('|')}) flag=${name} kind='${kind}' ;;`,
  );
  const given = argumentEntries(commands).map(
    ({ path, number, kind }) =>
      `    ${number === '*' ? `'${path} '*` : `'${path} ${number}'`}) kind='${kind}' ;;`,
  );
  const repeatable = repeatableFlags(commands).map((place) => `'${place}'`);
  return `# The names that may follow these, and the flags there.
_msgsite_words() {
${begin === undefined ? '' : `  ${begin}\n`}  case $1 in
${names.join('\n')}
  esac
  case $1 in
${flags.join('\n')}
  esac
}
# The long name of a flag, and what its value is; nothing where it takes none.
_msgsite_flag() {
  flag=$2 kind=''
  case "$1 $2" in
${values.join('\n')}
  esac
}
# What an argument is.
_msgsite_argument() {
  kind=''
  case "$1 $2" in
${given.join('\n')}
  esac
}
_msgsite_repeatable() {
  case "$1 $2" in ${repeatable.join('|')}) return 0 ;; esac
  return 1
}`;
}
