/**
 * Scripts that complete the command line of `toolsearch` in a shell. They ask `toolsearch completion
 * suggest`, with the words before and at the cursor, so they never go out of date.
 */
export const completionScripts: Readonly<Record<'bash' | 'zsh' | 'fish', string>> = {
  bash: `# bash completion for toolsearch
_toolsearch() {
  local word
  COMPREPLY=()
  while IFS= read -r word; do
    COMPREPLY+=("$word")
  done < <(toolsearch completion suggest -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _toolsearch toolsearch`,
  zsh: `#compdef toolsearch
# zsh completion for toolsearch
_toolsearch() {
  local -a words_found
  words_found=("\${(@f)$(toolsearch completion suggest -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if (( \${#words_found} )) && [[ -n "\${words_found[1]}" ]]; then
    compadd -- "\${words_found[@]}"
  else
    _files
  fi
}
if [[ "\${funcstack[1]}" == "_toolsearch" ]]; then
  _toolsearch "$@"
else
  (( \${+functions[compdef]} )) || { autoload -Uz compinit && compinit }
  compdef _toolsearch toolsearch
fi`,
  fish: `# fish completion for toolsearch
function __toolsearch_suggest
    set -l words (commandline -opc) (commandline -ct)
    toolsearch completion suggest -- $words[2..-1] 2>/dev/null
end
complete -c toolsearch -a '(__toolsearch_suggest)'`,
}
