import { AppError } from '../src/base/errors.js';
import type { Command } from './command.js';

/** For bash 3.2 (the version on macOS) and newer. Bash may split `--state=open` at `=`, and 3.2 has no `compopt`. */
const bash = `# msgsite completion for bash
_msgsite() {
  local index word line kind='' words=()
  for ((index = 1; index <= COMP_CWORD; index++)); do
    word=\${COMP_WORDS[index]}
    if [ "$word" = '=' ] || [ "\${COMP_WORDS[index - 1]}" = '=' ]; then
      words[\${#words[@]} - 1]+=$word
    else
      words+=("$word")
    fi
  done
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :*) kind=$line ;;
      *) COMPREPLY+=("\${line%%$'\\t'*}") ;;
    esac
  done < <(msgsite __complete -- "\${words[@]}" 2> /dev/null)
  # readline replaces only the text after the last word break character.
  case $COMP_WORDBREAKS in
    *=*) COMPREPLY=("\${COMPREPLY[@]#--*=}") ;;
  esac
  if [ "$kind" != :files ] && type compopt > /dev/null 2>&1; then
    compopt +o default
    if [ "$kind" = :folders ]; then compopt -o dirnames; fi
  fi
}
complete -o default -F _msgsite msgsite`;

/** For zsh, with `source <(…)` or as the file `_msgsite` in a folder of `fpath`. */
const zsh = `#compdef msgsite
# msgsite completion for zsh
_msgsite() {
  local line kind
  local -a offered
  for line in \${(f)"$(msgsite __complete -- "\${(@Q)words[2,CURRENT]}" 2> /dev/null)"}; do
    if [[ $line == :* ]]; then kind=$line
    else offered+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
    fi
  done
  if [[ \${words[CURRENT]} == --*=* ]]; then
    compset -P '*='
    offered=("\${offered[@]#--*=}")
  fi
  case $kind in
    :files) _files ;;
    :folders) _files -/ ;;
    *) _describe 'msgsite' offered ;;
  esac
}
# When zsh loads the function from fpath, this file is the body of the function.
if [[ \${funcstack[1]} == _msgsite ]]; then _msgsite "$@"
else
  # Completion may not be set up yet.
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
  compdef _msgsite msgsite
fi`;

/** For fish, as a file or with `source`. */
const fish = `# msgsite completion for fish
function __msgsite
  # The word may have an unclosed quote.
  set -l typed (commandline -ct)
  set -l current (string unescape -- $typed; or string replace -r '^["\\']' '' -- $typed)
  set -l before (commandline -opc)
  for line in (msgsite __complete -- $before[2..-1] "$current" 2> /dev/null)
    switch $line
      case :files
        set -l parts (string split -m 1 = -- "$current")
        test (count $parts) = 2; and __fish_complete_path $parts[2] | string replace -r '^' "$parts[1]="
        test (count $parts) = 2; or __fish_complete_path "$current"
      case :folders
        __fish_complete_directories "$current"
      case :none
      case '*'
        echo $line
    end
  end
end
complete -c msgsite -e
complete -c msgsite -f -a '(__msgsite)'`;

const scripts: Readonly<Record<string, string>> = { bash, zsh, fish };
const shells = Object.keys(scripts);

export const command: Command = {
  description: 'Print a script that lets a shell complete commands, flags and values.',
  arguments: [{ name: '<shell>', description: shells.join(', '), choices: shells }],
  examples: [
    {
      command: 'msgsite completion bash > ~/.local/share/bash-completion/completions/msgsite',
      description: 'Install it for bash',
    },
    {
      command: 'msgsite completion zsh > ~/.zfunc/_msgsite',
      description: 'Install it for zsh, with `fpath+=~/.zfunc` before `compinit` in ~/.zshrc',
    },
    {
      command: 'msgsite completion fish > ~/.config/fish/completions/msgsite.fish',
      description: 'Install it for fish',
    },
  ],
  async run({ output }, { arguments: [shell] }) {
    const script = scripts[String(shell)];
    if (script === undefined) {
      throw new AppError('usage', `Unknown shell: ${String(shell)}.`, {
        hint: `Supported shells: ${shells.join(', ')}.`,
      });
    }
    output.result({ shell, script }, () => script);
    return undefined;
  },
};
