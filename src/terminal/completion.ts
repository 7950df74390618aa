export const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

/** A word that may be typed next, and what it means. */
interface Choice {
  readonly name: string;
  readonly summary: string;
}

/** A command or group as completion knows it. */
export interface CompletionCommand {
  /** Its words: `pay qr`. */
  readonly path: string;
  readonly summary: string;
  readonly flags: readonly Choice[];
}

/** The script that completes these commands and their flags; files are completed elsewhere. */
export function completionScript(shell: Shell, commands: readonly CompletionCommand[]): string {
  return { bash: bashScript, zsh: zshScript, fish: fishScript }[shell](commands);
}

/** What may follow each path of words ('' = right after the program's name). */
function nextWords(commands: readonly CompletionCommand[]): Map<string, Choice[]> {
  const next = new Map<string, Choice[]>();
  for (const { path, summary } of commands) {
    const words = path.split(' ');
    const before = words.slice(0, -1).join(' ');
    next.set(before, [...(next.get(before) ?? []), { name: words.at(-1) ?? path, summary }]);
  }
  return next;
}

/** Lines of a shell's `case`: what may follow each path, and the flags of each command. */
function cases(
  commands: readonly CompletionCommand[],
  list: (choices: readonly Choice[]) => string,
): { readonly words: string; readonly flags: string } {
  const words = [...nextWords(commands)].map(
    ([path, choices]) => `    '${path}') next=${list(choices)} ;;`,
  );
  const flags = commands
    .filter((command) => command.flags.length > 0)
    .map((command) => `    '${command.path}') flags=${list(command.flags)} ;;`);
  return { words: words.join('\n'), flags: flags.join('\n') };
}

function bashScript(commands: readonly CompletionCommand[]): string {
  const list = (choices: readonly Choice[]) => `'${choices.map(({ name }) => name).join(' ')}'`;
  const { words, flags } = cases(commands, list);
  return `# msgsite completion for bash
_msgsite() {
  local current=\${COMP_WORDS[COMP_CWORD]} path='' next='' flags='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in -*) ;; *) path="\${path:+$path }$word" ;; esac
  done
  case $path in
${words}
  esac
  case $path in
${flags}
  esac
  if [[ $current == -* ]]; then next=$flags; fi
  mapfile -t COMPREPLY < <(compgen -W "$next" -- "$current")
}
complete -o default -F _msgsite msgsite`;
}

function zshScript(commands: readonly CompletionCommand[]): string {
  const quote = (text: string) => text.replaceAll("'", "'\\''").replaceAll(':', '\\:');
  const list = (choices: readonly Choice[]) =>
    `(${choices.map(({ name, summary }) => `'${name}:${quote(summary)}'`).join(' ')})`;
  const { words, flags } = cases(commands, list);
  return `#compdef msgsite
# msgsite completion for zsh
_msgsite() {
  local -a next flags
  local path_words='' word
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ $word == -* ]] || path_words="\${path_words:+$path_words }$word"
  done
  case $path_words in
${words}
  esac
  case $path_words in
${flags}
  esac
  if [[ $words[CURRENT] == -* ]]; then _describe 'flag' flags
  elif (( \${#next} )); then _describe 'command' next
  else _files; fi
}
compdef _msgsite msgsite`;
}

function fishScript(commands: readonly CompletionCommand[]): string {
  const quote = (text: string) => text.replaceAll('\\', '\\\\').replaceAll("'", "\\'");
  const line = (path: string, word: string, summary: string) =>
    `complete -c msgsite -n "__msgsite_at '${path}'" ${word} -d '${quote(summary)}'`;
  const words = [...nextWords(commands)].flatMap(([path, choices]) =>
    choices.map(({ name, summary }) => line(path, `-f -a '${name}'`, summary)),
  );
  const flags = commands.flatMap(({ path, flags }) =>
    flags.map(({ name, summary }) => line(path, `-l '${name.slice(2)}'`, summary)),
  );
  return `# msgsite completion for fish
function __msgsite_at
  set -l given (string match -v -- '-*' (commandline -opc)[2..])
  test "$given" = "$argv[1]"
end
${[...words, ...flags].join('\n')}`;
}
