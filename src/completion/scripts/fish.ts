/** Completion for fish 3.0 and later. fish does not expand candidates from a command. */
export const fish = `# Completion of docs for fish.

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
            case ':goes-on'
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
