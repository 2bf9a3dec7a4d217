/** Variables in which the scripts give the words before the one that is completed, one per line, and that word. */
export const givenWords = "TENON_COMPLETE";
export const completedWord = "TENON_COMPLETE_WORD";

/**
 * Scripts for shells. They ask the command itself what can come next, so that they never become old, and complete names of files where it
 * says nothing. After a word that ends with `=` no space follows, because its value does.
 */
export const completionScripts: Readonly<Record<string, string>> = {
  // Bash takes `=` and `:` for the ends of words. The words are put together again, and a reply leaves out what bash has already.
  bash: `_tenon() {
  local piece open="" words word i last=-1
  local -a given=()
  for piece in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if [[ last -ge 0 && ( -n "$open" || "$piece" == [=:]* ) ]]; then given[last]+="$piece"
    else last=$((last + 1)); given[last]="$piece"; fi
    if [[ "$piece" == *[=:] ]]; then open=1; else open=""; fi
  done
  word="\${given[last]}"
  words=$(${givenWords}="$(printf '%s\\n' "\${given[@]:0:last}")" ${completedWord}="$word" tenon completion words 2>/dev/null)
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  if [[ "$word" == *[=:]* ]]; then
    for i in "\${!COMPREPLY[@]}"; do COMPREPLY[i]="\${COMPREPLY[i]#"\${word%[=:]*}"?}"; done
  fi
  if [[ "\${#COMPREPLY[@]}" == 1 && "\${COMPREPLY[0]}" == *= ]]; then compopt -o nospace 2>/dev/null; fi
}
complete -o default -F _tenon tenon`,
  // The file may be sourced, or stand as _tenon in a folder of $fpath, where its first run is already a completion.
  zsh: `#compdef tenon
_tenon() {
  local -a before found
  before=("\${(@)words[2,CURRENT-1]}")
  found=(\${(f)"$(${givenWords}="\${(pj:\\n:)before}" ${completedWord}="$words[CURRENT]" tenon completion words 2>/dev/null)"})
  if (( $#found )); then
    compadd -S '' -- \${(M)found:#*=}
    compadd -- \${found:#*=}
  else
    _files
  fi
}
if [[ $funcstack[1] == _tenon ]]; then _tenon; else compdef _tenon tenon; fi`,
  fish: `function __tenon_words
  set -l words (commandline -opc)
  set -lx ${givenWords} (string join \\n -- $words[2..-1] | string collect)
  set -lx ${completedWord} (commandline -ct)
  set -l found (tenon completion words 2>/dev/null)
  if test (count $found) -gt 0
    string join \\n -- $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c tenon -f -a '(__tenon_words)'`,
};
