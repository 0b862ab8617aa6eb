/** Completion for PowerShell 5.1 and later. Candidates are inserted as text, never evaluated. */
export const powershell = `# Completion of docs for PowerShell.

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
