/**
 * Completion for zsh: source it, or save it as `_docs` in a folder of `fpath`. Words and notes are passed to
 * `compadd` unchanged; nothing is evaluated.
 */
export const zsh = `#compdef docs
# Completion of docs for zsh.

_docs() {
  local line word note before goes_on= by_title= program=docs
  local -a values shown insert
  local -i width=0
  [[ $words[1] == */* && -x $words[1] ]] && program=$words[1]
  local -a lines
  lines=("\${(@f)$(command $program __complete "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null </dev/null)}")
  for line in "\${lines[@]}"; do
    word=\${line%%$'\\t'*}
    [[ $line != :* ]] && (( \${#word} > width )) && width=\${#word}
  done
  for line in "\${lines[@]}"; do
    word=\${line%%$'\\t'*}
    note=
    [[ $line == *$'\\t'* ]] && note=\${line#*$'\\t'}
    case $line in
      '') ;;
      :by-title) by_title=1 ;;
      :goes-on) goes_on=1 ;;
      ':files '*) _docs_files '' "\${line#:files }" ;;
      ':folders '*) _docs_files -/ "\${line#:folders }" ;;
      *)
        values+=("$word")
        if [[ -n $note ]]; then shown+=("\${(r:width:)word}  -- $note"); else shown+=("$word"); fi
        ;;
    esac
  done
  (( \${#values} )) || return
  [[ -n $goes_on ]] && insert=(-S '')
  if [[ -n $by_title ]]; then
    # What ids have in common must not take the place of a typed title: they are listed first, then gone through.
    insert+=(-U)
    if (( \${#values} > 1 )); then
      compstate[insert]=
      [[ -n $compstate[old_list] ]] && compstate[insert]=menu
      compstate[list]='list force'
    fi
  fi
  compadd -l -V docs -d shown $insert -a values
}

# Offers files for the current word after the given prefix.
_docs_files() {
  [[ -n $2 ]] && compset -P "\${(b)2}"
  if [[ -n $1 ]]; then _files $1; else _files; fi
}

# A file of fpath runs to complete; a sourced script registers itself.
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _docs "$@"
else
  compdef _docs docs
fi
`;
