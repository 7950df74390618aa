import { caseFunctions } from './case-functions.js';
import { type CompletionCommand, helpWord, nextWords } from './words.js';

/**
 * For bash 3.2 (that of macOS) and newer: no associative arrays, no `mapfile`, no `${word,,}`. `compopt` is newer,
 * so it is used where it is there.
 */
export function bashScript(commands: readonly CompletionCommand[]): string {
  return `# msgsite completion for bash
${tables(commands)}
${walk}
complete -o default -F _msgsite msgsite`;
}

function tables(commands: readonly CompletionCommand[]): string {
  const names = [...nextWords(commands)].map(
    ([path, words]) => `    '${path}') next='${words.map(({ name }) => name).join(' ')}' ;;`,
  );
  const flags = commands.map(
    (command) =>
      `    '${command.path}') flags='${command.flags.map(({ name }) => name).join(' ')}' ;;`,
  );
  return caseFunctions(commands, { names, flags });
}

/**
 * Newer versions split `--state=open` into three words, older ones do not; either way the reader of keys replaces
 * what follows the last character of COMP_WORDBREAKS. Nothing in COMPREPLY has it complete files by itself, with all
 * quoting; where they are not wanted, it is told so, or gets two words, between which it cannot choose.
 */
const walk = `# Offers what fits of these words.
_msgsite_offer() {
  # No word of ours has a space or is a pattern.
  # shellcheck disable=SC2207
  COMPREPLY=($(compgen -P "$2" -W "$1" -- "$3"))
}
_msgsite_no_files() {
  if [ "\${#COMPREPLY[@]}" -gt 0 ]; then return; fi
  if type compopt > /dev/null 2>&1; then compopt +o default
  else COMPREPLY=("$1$2" "$1 "); fi
}
_msgsite_value() {
  case $1 in
    @file) COMPREPLY=() ;;
    @folder)
      COMPREPLY=()
      if type compopt > /dev/null 2>&1; then compopt +o default -o dirnames; fi
      ;;
    @text*) _msgsite_no_files "$3" "\${1#@text }" ;;
    *) _msgsite_offer "$1" "$2" "$3"; _msgsite_no_files "$3" '<?>' ;;
  esac
}
_msgsite() {
  local current=\${COMP_WORDS[COMP_CWORD]} path='' next='' flags='' flag='' kind='' before=''
  local given=' ' waiting='' helping='' ended='' number=1 index word offered=''
  COMPREPLY=()
  _msgsite_words ''
  for ((index = 1; index < COMP_CWORD; index++)); do
    word=\${COMP_WORDS[index]}
    if [ -n "$waiting" ]; then
      if [ "$word" != '=' ]; then waiting=''; fi
    elif [ -n "$ended" ]; then number=$((number + 1))
    elif [ "$word" = -- ]; then ended=yes
    else
      case $word in
        -*)
          _msgsite_flag "$path" "\${word%%=*}"
          given="$given$flag "
          case $word in *=*) ;; *) waiting=$kind ;; esac
          ;;
        *)
          case " $next " in
            *" $word "*)
              path="\${path:+$path }$word" next='' flags=''
              _msgsite_words "$path"
              ;;
            *)
              if [ "$word" = ${helpWord.name} ] && [ -n "$next" ]; then helping=yes
              else next='' number=$((number + 1)); fi
              ;;
          esac
          ;;
      esac
    fi
  done
  if [ "$current" = '=' ]; then current=''; fi
  if [ -n "$waiting" ]; then
    _msgsite_value "$waiting" '' "$current"
  elif [ -z "$ended" ] && [ "\${current#--*=}" != "$current" ]; then
    _msgsite_flag "$path" "\${current%%=*}"
    case $COMP_WORDBREAKS in *=*) ;; *) before="\${current%%=*}=" ;; esac
    _msgsite_value "$kind" "$before" "\${current#*=}"
  elif [ -z "$ended" ] && [ "\${current#-}" != "$current" ]; then
    for word in $flags; do
      case $given in *" $word "*) _msgsite_repeatable "$path" "$word" || continue ;; esac
      offered="$offered $word"
    done
    _msgsite_offer "$offered" '' "$current"
    _msgsite_no_files "$current" '<?>'
  elif [ -n "$next" ] && [ -z "$ended" ]; then
    if [ -z "$helping" ]; then next="$next ${helpWord.name}"; fi
    _msgsite_value "$next" '' "$current"
  else
    _msgsite_argument "$path" "$number"
    _msgsite_value "$kind" '' "$current"
  fi
}`;
