/**
 * Completion for bash 3.2 and later, without bash-completion. Output of `docs __complete` is never
 * evaluated: no `eval`, no `compgen -W`.
 */
const bash = `# Completion of docs for bash.

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

  local program=docs value note files= folders= by_title= shown= entry width=0
  [[ \${COMP_WORDS[0]} == */* && -x \${COMP_WORDS[0]} ]] && program=\${COMP_WORDS[0]}
  local -a values=() notes=()
  COMPREPLY=()
  while IFS=$'\\t' read -r value note; do
    case $value in
      :by-title) by_title=1 ;;
      :shown) shown=1 ;;
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
    if [[ \${#values[@]} -gt 1 || $shown ]] && [[ \${notes[i]} && ( $COMP_TYPE == 63 || $COMP_TYPE == 33 || $COMP_TYPE == 64 ) ]]; then
      printf -v entry '%-*s  (%s)' "$width" "$entry" "\${notes[i]}"
    fi
    COMPREPLY[\${#COMPREPLY[@]}]=$entry
  done
  # What several ids begin with must not take the place of a typed title.
  [[ $by_title ]] && ((\${#values[@]} > 1)) && _docs_apart
  [[ $shown ]] && _docs_apart
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

/**
 * Completion for zsh: source it, or save it as `_docs` in a folder of `fpath`. Words and notes are passed to
 * `compadd` unchanged; nothing is evaluated.
 */
const zsh = `#compdef docs
# Completion of docs for zsh.

_docs() {
  local line word note before goes_on= by_title= shown_only= program=docs
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
      :shown) shown_only=1 ;;
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
    insert+=(-U -Q)
    if (( \${#values} > 1 )); then
      compstate[insert]=
      [[ -n $compstate[old_list] ]] && compstate[insert]=menu
      compstate[list]='list force'
    fi
  fi
  if [[ -n $shown_only ]]; then
    _message -r "\${(pj:\\n:)\${shown//\\%/%%}}"
    return
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

/** Completion for fish 3.0 and later. fish does not expand candidates from a command. */
const fish = `# Completion of docs for fish.

function __docs_complete
    set -l words (commandline -opc)
    set -l program docs
    if string match -q '*/*' -- $words[1]; and test -x $words[1]
        set program $words[1]
    end
    set -e words[1]
    set -l current (commandline -ct)
    for line in (command $program __complete :titles $words "$current" 2>/dev/null </dev/null)
        switch $line
            case ':goes-on' ':shown'
            case ':files *' ':folders *'
                set -l before (string replace -r '^:[a-z]+ ' '' -- $line)
                set -l path (string sub -s (math (string length -- "$before") + 1) -- "$current")
                for file in (__fish_complete_path "$path")
                    if string match -q ':files *' -- $line; or string match -rq '/(\\t|$)' -- $file
                        echo "$before$file"
                    end
                end
            case '*'
                echo $line
        end
    end
end

complete -c docs -e
complete -c docs -f -k -a '(__docs_complete)'
`;

/** Completion for PowerShell 5.1 and later. Candidates are inserted as text, never evaluated. */
const powershell = `# Completion of docs for PowerShell.

Register-ArgumentCompleter -Native -CommandName docs -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    # PowerShell drops an empty argument; quotes keep it.
    $current = if ($wordToComplete -eq '') { '""' } else { $wordToComplete }
    $before = @($commandAst.CommandElements |
        Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
        ForEach-Object { $_.Extent.Text })
    # If files fit, this returns nothing and PowerShell offers files.
    & docs __complete @before $current 2>$null |
        Where-Object { -not $_.StartsWith(':') } |
        ForEach-Object {
            $word, $note = $_.Split([char]9, 2)
            if (-not $note) { $note = $word }
            [System.Management.Automation.CompletionResult]::new($word, $word, 'ParameterValue', $note)
        }
}
`;

/** One script per shell. Each calls `docs __complete` and knows no commands itself. */
export const scripts = { bash, zsh, fish, powershell } as const;

export const shells = Object.keys(scripts) as readonly Shell[];
export type Shell = keyof typeof scripts;
