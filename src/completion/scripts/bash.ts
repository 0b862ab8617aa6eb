/**
 * Completion for bash 3.2 and later, without bash-completion. Output of `docs __complete` is never
 * evaluated: no `eval`, no `compgen -W`.
 */
export const bash = `# Completion of docs for bash.

_docs() {
  local line=\${COMP_LINE:0:COMP_POINT} rest word current tail before mark i
  local -a words=()
  # bash also splits words at = : and @; join them again.
  rest=\${line#*"\${COMP_WORDS[0]}"}
  for ((i = 1; i <= COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if [[ $rest == [[:space:]]* || \${#words[@]} -eq 0 ]]; then
      rest=\${rest#"\${rest%%[![:space:]]*}"}
      words[\${#words[@]}]=
    fi
    ((i == COMP_CWORD)) && [[ $word == "$rest"* ]] && word=$rest
    words[\${#words[@]} - 1]+=$word
    rest=\${rest#"$word"}
  done
  current=\${words[\${#words[@]} - 1]}

  # The text before the part of the word that bash replaces.
  tail=$current
  for mark in = :; do
    [[ $COMP_WORDBREAKS == *"$mark"* ]] && tail=\${tail##*"$mark"}
  done
  [[ $COMP_WORDBREAKS == *@* && $tail == *@* ]] && tail=@\${tail##*@}
  before=\${current%"$tail"}

  local program=docs value note files= folders= by_title= entry width=0
  [[ \${COMP_WORDS[0]} == */* && -x \${COMP_WORDS[0]} ]] && program=\${COMP_WORDS[0]}
  local -a values=() notes=()
  COMPREPLY=()
  while IFS=$'\\t' read -r value note; do
    case $value in
      :by-title) by_title=1 ;;
      :goes-on) compopt -o nospace 2>/dev/null ;;
      ':files '*) files=\${value#:files } && _docs_files -f "$files" ;;
      ':folders '*) folders=\${value#:folders } && _docs_files -d "$folders" ;;
      *)
        values[\${#values[@]}]=\${value#"$before"}
        notes[\${#notes[@]}]=$note
        value=\${value#"$before"}
        ((\${#value} > width)) && width=\${#value}
        ;;
    esac
  done < <("$program" __complete "\${words[@]}" 2>/dev/null </dev/null)

  for ((i = 0; i < \${#values[@]}; i++)); do
    entry=\${values[i]}
    # Notes are shown in lists, never inserted; these types mean that bash shows a list.
    if ((\${#values[@]} > 1)) && [[ \${notes[i]} && ( $COMP_TYPE == 63 || $COMP_TYPE == 33 || $COMP_TYPE == 64 ) ]]; then
      printf -v entry '%-*s  (%s)' "$width" "$entry" "\${notes[i]}"
    fi
    COMPREPLY[\${#COMPREPLY[@]}]=$entry
  done
  # What several ids begin with must not take the place of a typed title.
  [[ $by_title ]] && ((\${#values[@]} > 1)) && _docs_apart
}

# Adds an empty entry where all begin with the same letter.
_docs_apart() {
  for entry in "\${values[@]}"; do
    [[ \${entry:0:1} == "\${values[0]:0:1}" ]] || return 0
  done
  COMPREPLY[\${#COMPREPLY[@]}]=' '
}

# Offers files for the current word after the given prefix.
_docs_files() {
  local path=\${current#"$2"} file
  compopt -o filenames 2>/dev/null
  while IFS= read -r file; do
    file=$2$file
    COMPREPLY[\${#COMPREPLY[@]}]=\${file#"$before"}
  done < <(compgen "$1" -- "$path")
}

complete -o nosort -F _docs docs 2>/dev/null || complete -F _docs docs
`;
