/** Variable in which the scripts give the words before the one that is completed, one per line. */
export const givenWords = "TENON_COMPLETE";

/**
 * Scripts for shells. They ask the command itself what can come next, so that they never become old, and complete names of files where it
 * says nothing.
 */
export const completionScripts: Readonly<Record<string, string>> = {
  bash: `_tenon() {
  local words
  words=$(${givenWords}="$(printf '%s\\n' "\${COMP_WORDS[@]:1:COMP_CWORD-1}")" tenon completion words 2>/dev/null)
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _tenon tenon`,
  // The file may be sourced, or stand as _tenon in a folder of $fpath, where its first run is already a completion.
  zsh: `#compdef tenon
_tenon() {
  local -a before found
  before=("\${(@)words[2,CURRENT-1]}")
  found=(\${(f)"$(${givenWords}="\${(pj:\\n:)before}" tenon completion words 2>/dev/null)"})
  if (( $#found )); then compadd -a found; else _files; fi
}
if [[ $funcstack[1] == _tenon ]]; then _tenon; else compdef _tenon tenon; fi`,
  fish: `function __tenon_words
  set -l words (commandline -opc)
  set -lx ${givenWords} (string join \\n -- $words[2..-1] | string collect)
  set -l found (tenon completion words 2>/dev/null)
  if test (count $found) -gt 0
    string join \\n -- $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c tenon -f -a '(__tenon_words)'`,
};
