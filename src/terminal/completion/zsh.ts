import { caseFunctions } from './case-functions.js';
import { type CompletionCommand, helpWord, nextWords, type Word } from './words.js';

/** For zsh, by `source <(…)` or as the file `_msgsite` in a folder of `fpath`. */
export function zshScript(commands: readonly CompletionCommand[]): string {
  return `#compdef msgsite
# msgsite completion for zsh
${tables(commands)}
${walk}`;
}

/** In single quotes; a colon would end the word. */
const quote = (text: string) => text.replaceAll("'", "'\\''").replaceAll(':', '\\:');
const described = (words: readonly Word[]) =>
  words.map(({ name, summary }) => `'${name}:${quote(summary)}'`).join(' ');

function tables(commands: readonly CompletionCommand[]): string {
  const names = [...nextWords(commands)].map(
    ([path, words]) => `    '${path}') next=(${described([...words, helpWord])}) ;;`,
  );
  const flags = commands.map(
    (command) => `    '${command.path}') flags=(${described(command.flags)}) ;;`,
  );
  return caseFunctions(commands, { begin: 'next=() flags=()', names, flags });
}

/** The file is the body of the function on its first call from `fpath`: it calls what it has just defined. */
const walk = `_msgsite_value() {
  case $1 in
    @file) _files ;;
    @folder) _files -/ ;;
    @text*) _message "\${1#@text }" ;;
    '') _message 'no more arguments' ;;
    *) compadd -- \${=1} ;;
  esac
}
_msgsite() {
  local -a next flags offered
  local place='' flag='' kind='' given=' ' waiting='' helping='' ended='' word
  integer number=1 index
  _msgsite_words ''
  for ((index = 2; index < CURRENT; index++)); do
    word=\${(Q)words[index]}
    if [[ -n $waiting ]]; then waiting=''
    elif [[ -n $ended ]]; then number+=1
    elif [[ $word == -- ]]; then ended=yes
    elif [[ $word == -* ]]; then
      _msgsite_flag "$place" "\${word%%=*}"
      given+="$flag "
      [[ $word == *=* ]] || waiting=$kind
    elif [[ $word == ${helpWord.name} && -n $next ]]; then helping=yes
    elif (( \${next[(I)$word:*]} )); then
      place="\${place:+$place }$word"
      _msgsite_words "$place"
    else
      next=()
      number+=1
    fi
  done
  word=\${words[CURRENT]}
  if [[ -n $waiting ]]; then _msgsite_value "$waiting"
  elif [[ -z $ended && $word == --*=* ]]; then
    _msgsite_flag "$place" "\${word%%=*}"
    compset -P '*='
    _msgsite_value "$kind"
  elif [[ -z $ended && $word == -* ]]; then
    for word in $flags; do
      flag=\${word%%:*}
      [[ $given == *" $flag "* ]] && ! _msgsite_repeatable "$place" "$flag" && continue
      offered+=("$word")
    done
    _describe -o 'flag' offered
  elif [[ -n $next && -z $ended ]]; then
    [[ -n $helping ]] && next=(\${next:#${helpWord.name}:*})
    _describe 'command' next
  else
    _msgsite_argument "$place" "$number"
    _msgsite_value "$kind"
  fi
}
if [[ \${funcstack[1]} == _msgsite ]]; then _msgsite "$@"
else
  # Where completion is not set up yet.
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
  compdef _msgsite msgsite
fi`;
