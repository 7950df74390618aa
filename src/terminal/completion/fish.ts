import {
  argumentEntries,
  type CompletionCommand,
  flagEntries,
  helpWord,
  nextWords,
  repeatableFlags,
  type Word,
} from './words.js';

/** For fish, in a file of its own or by `source`. */
export function fishScript(commands: readonly CompletionCommand[]): string {
  return `# msgsite completion for fish
${tables(commands)}
${walk}
complete -c msgsite -e
complete -c msgsite -f -a '(__msgsite)'`;
}

const quote = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
/** Lines of a word, a tab and what it means. */
const described = (words: readonly Word[]) =>
  words.map(({ name, summary }) => `${name}\\t${quote(summary)}`).join(' ');

function tables(commands: readonly CompletionCommand[]): string {
  const print = (words: readonly Word[]) =>
    words.length === 0 ? 'true' : `printf '%s\\n' ${described(words)}`;
  const names = [...nextWords(commands)].map(
    ([path, words]) => `    case ${quote(path)}\n      ${print([...words, helpWord])}`,
  );
  const flags = commands.map(
    (command) => `    case ${quote(command.path)}\n      ${print(command.flags)}`,
  );
  const values = flagEntries(commands).map(
    ({ name, kind, places }) =>
      `    case ${places.map(quote).join(' ')}\n      printf '%s\\n' ${name} ${quote(kind)}\n      return`,
  );
  const given = argumentEntries(commands).map(
    ({ path, number, kind }) => `    case ${quote(`${path} ${number}`)}\n      echo ${quote(kind)}`,
  );
  return `# The names that may follow these.
function __msgsite_words
  switch $argv[1]
${names.join('\n')}
  end
end
# The flags there.
function __msgsite_flags
  switch $argv[1]
${flags.join('\n')}
  end
end
# The long name of a flag, and what its value is: nothing where it takes none.
function __msgsite_flag
  switch "$argv[1] $argv[2]"
${values.join('\n')}
  end
  printf '%s\\n' $argv[2] ''
end
# What an argument is.
function __msgsite_argument
  switch "$argv[1] $argv[2]"
${given.join('\n')}
  end
end
function __msgsite_repeatable
  contains -- "$argv[1] $argv[2]" ${repeatableFlags(commands).map(quote).join(' ')}
end`;
}

const walk = `# What a value may be: its kind, what stands before it in the word, and what is there of it.
function __msgsite_value
  set -l offered
  switch $argv[1]
    case @file
      set offered (__fish_complete_path $argv[3])
    case @folder
      set offered (__fish_complete_directories $argv[3])
    case '@text*' ''
      return
    case '*'
      set offered (string split ' ' -- $argv[1])
  end
  for each in $offered
    echo $argv[2]$each
  end
end
function __msgsite
  # A quote may be open.
  set -l typed (commandline -ct)
  set -l current (string unescape -- $typed; or string replace -r '^["\\']' '' -- $typed)
  set -l tokens (commandline -opc)
  set -l place ''
  set -l given
  set -l waiting ''
  set -l helping ''
  set -l ended ''
  set -l number 1
  set -l next (__msgsite_words '')
  for word in $tokens[2..-1]
    if test -n "$waiting"
      set waiting ''
    else if test -n "$ended"
      set number (math $number + 1)
    else if test "$word" = --
      set ended yes
    else if string match -q -- '-*' $word
      set -l found (__msgsite_flag "$place" (string split -m 1 = -- $word)[1])
      set -a given $found[1]
      string match -q -- '*=*' $word; or set waiting $found[2]
    else if test "$word" = ${helpWord.name}; and set -q next[1]
      set helping yes
    else if string match -q -- "$word"\\t'*' $next
      set place (string trim -- "$place $word")
      set next (__msgsite_words "$place")
    else
      set next
      set number (math $number + 1)
    end
  end
  if test -n "$waiting"
    __msgsite_value $waiting '' "$current"
  else if test -z "$ended"; and string match -q -- '--*=*' $current
    set -l parts (string split -m 1 = -- $current)
    set -l found (__msgsite_flag "$place" $parts[1])
    __msgsite_value "$found[2]" "$parts[1]=" "$parts[2]"
  else if test -z "$ended"; and string match -q -- '-*' $current
    for each in (__msgsite_flags "$place")
      set -l name (string split -m 1 \\t -- $each)[1]
      if contains -- $name $given; and not __msgsite_repeatable "$place" $name
        continue
      end
      echo $each
    end
  else if set -q next[1]; and test -z "$ended"
    test -n "$helping"; and set next (string match -v -- ${helpWord.name}\\t'*' $next)
    printf '%s\\n' $next
  else
    __msgsite_value (__msgsite_argument "$place" $number; or true)"" '' "$current"
  end
end`;
