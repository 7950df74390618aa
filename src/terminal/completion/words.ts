/** A word that may be typed, and what it means. */
export interface Word {
  readonly name: string;
  readonly summary: string;
}

/** What a value may be: one of some words, a file, a folder, or a text that only its form is known of. */
export type ValueKind =
  | { readonly choices: readonly string[] }
  | 'file'
  | 'folder'
  | { readonly form: string };

/** A flag as completion knows it. */
export interface CompletionFlag extends Word {
  /** `-p` of `--port`. */
  readonly short?: string;
  /** What follows it; nothing without. */
  readonly value?: ValueKind;
  readonly repeatable?: boolean;
}

/** A command or group as completion knows it. */
export interface CompletionCommand {
  /** Its words: `pay qr`; '' is the program. */
  readonly path: string;
  readonly summary: string;
  readonly flags: readonly CompletionFlag[];
  /** Its arguments in order. */
  readonly arguments?: readonly ValueKind[];
  /** The last argument may come again and again. */
  readonly isVariadic?: boolean;
}

/** `help`, which goes wherever the name of a command does. */
export const helpWord: Word = { name: 'help', summary: 'show help for a command' };

/** The names that may follow each path ('' = right after the program's name). */
export function nextWords(commands: readonly CompletionCommand[]): Map<string, Word[]> {
  const next = new Map<string, Word[]>();
  for (const { path, summary } of commands) {
    if (path === '') continue;
    const words = path.split(' ');
    const before = words.slice(0, -1).join(' ');
    next.set(before, [...(next.get(before) ?? []), { name: words.at(-1) ?? path, summary }]);
  }
  return next;
}

/**
 * A kind in one word or some, as the scripts hand it on: `@file`, `@folder`, `@text <form>`, or the choices.
 */
function kindText(kind: ValueKind): string {
  if (kind === 'file' || kind === 'folder') return `@${kind}`;
  return 'form' in kind ? `@text <${kind.form}>` : kind.choices.join(' ');
}

/** A flag that takes a value or has a short name, and the commands where it is the same. */
interface FlagEntry {
  readonly name: string;
  readonly kind: string;
  /** `pay qr --data`, `pay qr -d`. */
  readonly places: readonly string[];
}

/** What follows flags, those that are alike together: it keeps the scripts small. */
export function flagEntries(commands: readonly CompletionCommand[]): readonly FlagEntry[] {
  const entries = new Map<string, { name: string; kind: string; places: string[] }>();
  for (const { path, flags } of commands) {
    for (const { name, short, value } of flags) {
      if (value === undefined && short === undefined) continue;
      const kind = value === undefined ? '' : kindText(value);
      const entry = entries.get(`${name} ${kind}`) ?? { name, kind, places: [] };
      entries.set(`${name} ${kind}`, entry);
      for (const each of [name, short])
        if (each !== undefined) entry.places.push(`${path} ${each}`);
    }
  }
  return [...entries.values()];
}

/** What is an argument of which command: `places` are a path and the argument's number, or `*` for any. */
export function argumentEntries(
  commands: readonly CompletionCommand[],
): readonly { readonly path: string; readonly number: string; readonly kind: string }[] {
  return commands.flatMap(({ path, arguments: kinds = [], isVariadic = false }) =>
    kinds.map((kind, index) => ({
      path,
      number: isVariadic && index === kinds.length - 1 ? '*' : String(index + 1),
      kind: kindText(kind),
    })),
  );
}

/** Flags that may be given again, with the commands where they are: `webhooks verify --header`. */
export function repeatableFlags(commands: readonly CompletionCommand[]): readonly string[] {
  return commands.flatMap(({ path, flags }) =>
    flags.filter(({ repeatable }) => repeatable).map(({ name }) => `${path} ${name}`),
  );
}
