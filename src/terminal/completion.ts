export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** A command or group as completion knows it. */
export interface CompletionCommand {
  /** Its words: `pay qr`. */
  readonly path: string;
  readonly summary: string;
  readonly flags: readonly { readonly name: string; readonly description: string }[];
}

export function isShell(text: string): text is Shell {
  return shells.some((shell) => shell === text);
}

/** The script that completes these commands and their flags; files are completed elsewhere. */
export function completionScript(shell: Shell, commands: readonly CompletionCommand[]): string {
  return { bash: bashScript, zsh: zshScript, fish: fishScript }[shell](commands);
}

interface Choice {
  readonly name: string;
  readonly summary: string;
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

function bashScript(commands: readonly CompletionCommand[]): string {
  const words = [...nextWords(commands)].map(
    ([path, choices]) => `    '${path}') next='${choices.map(({ name }) => name).join(' ')}' ;;`,
  );
  const flags = commands
    .filter((command) => command.flags.length > 0)
    .map(
      ({ path, flags }) => `    '${path}') flags='${flags.map(({ name }) => name).join(' ')}' ;;`,
    );
  return `# msgsite completion for bash
_msgsite() {
  local current=\${COMP_WORDS[COMP_CWORD]} path='' next='' flags='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in -*) ;; *) path="\${path:+$path }$word" ;; esac
  done
  case $path in
${words.join('\n')}
  esac
  case $path in
${flags.join('\n')}
  esac
  if [[ $current == -* ]]; then next=$flags; fi
  mapfile -t COMPREPLY < <(compgen -W "$next" -- "$current")
}
complete -o default -F _msgsite msgsite`;
}

function zshScript(commands: readonly CompletionCommand[]): string {
  const quote = (text: string) => text.replaceAll("'", "'\\''").replaceAll(':', '\\:');
  const words = [...nextWords(commands)].map(([path, choices]) => {
    const list = choices.map(({ name, summary }) => `'${name}:${quote(summary)}'`).join(' ');
    return `    '${path}') next=(${list}) ;;`;
  });
  const flags = commands
    .filter((command) => command.flags.length > 0)
    .map(({ path, flags }) => {
      const list = flags.map(({ name, description }) => `'${name}:${quote(description)}'`);
      return `    '${path}') flags=(${list.join(' ')}) ;;`;
    });
  return `#compdef msgsite
# msgsite completion for zsh
_msgsite() {
  local -a next flags
  local path_words='' word
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ $word == -* ]] || path_words="\${path_words:+$path_words }$word"
  done
  case $path_words in
${words.join('\n')}
  esac
  case $path_words in
${flags.join('\n')}
  esac
  if [[ $words[CURRENT] == -* ]]; then _describe 'flag' flags
  elif (( \${#next} )); then _describe 'command' next
  else _files; fi
}
compdef _msgsite msgsite`;
}

function fishScript(commands: readonly CompletionCommand[]): string {
  const quote = (text: string) => text.replaceAll('\\', '\\\\').replaceAll("'", "\\'");
  const words = [...nextWords(commands)].flatMap(([path, choices]) =>
    choices.map(
      ({ name, summary }) =>
        `complete -c msgsite -n "__msgsite_at '${path}'" -f -a '${name}' -d '${quote(summary)}'`,
    ),
  );
  const flags = commands.flatMap(({ path, flags }) =>
    flags.map(
      ({ name, description }) =>
        `complete -c msgsite -n "__msgsite_at '${path}'" -l '${name.slice(2)}' -d '${quote(description)}'`,
    ),
  );
  return `# msgsite completion for fish
function __msgsite_at
  set -l given (string match -v -- '-*' (commandline -opc)[2..])
  test "$given" = "$argv[1]"
end
${[...words, ...flags].join('\n')}`;
}
