/** The completion of PowerShell, 5.1 and later. What is offered goes into results as text. */
export const powershell = `# Completion of docs for PowerShell.

Register-ArgumentCompleter -Native -CommandName docs -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    # Without a value here an empty word would be lost on its way to a program.
    $current = if ($wordToComplete -eq '') { '""' } else { $wordToComplete }
    $before = @($commandAst.CommandElements |
        Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
        ForEach-Object { $_.Extent.Text })
    # Where files fit nothing is returned, and PowerShell offers files itself.
    & docs __complete @before $current 2>$null |
        Where-Object { -not $_.StartsWith(':') } |
        ForEach-Object {
            $word, $note = $_.Split([char]9, 2)
            if (-not $note) { $note = $word }
            [System.Management.Automation.CompletionResult]::new($word, $word, 'ParameterValue', $note)
        }
}
`;
