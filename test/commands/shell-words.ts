/**
 * The words of an example as a POSIX shell splits them: blanks separate, quotes of both kinds hold
 * together, redirections are the shell's own.
 */
export function shellWords(line: string): string[] {
  const words = line.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];
  const redirection = words.findIndex((word) => /^[<>|]/.test(word));
  const own = redirection === -1 ? words : words.slice(0, redirection);
  return own.map((word) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2'));
}
