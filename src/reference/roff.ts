/** Builds man pages for groff and mandoc. */

/** Escapes all characters with a meaning in roff; non-ASCII by code point. */
export function roff(text: string): string {
  return [...text]
    .map(letter)
    .join('')
    .replace(/^([.'])/, '\\&$1');
}

function letter(character: string): string {
  if (character === '\\') return '\\e';
  if (character === '-') return '\\-';
  if (character === "'") return '\\(aq';
  if (character === '`') return '\\(ga';
  if (character === '^') return '\\(ha';
  if (character === '~') return '\\(ti';
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return character;
  return `\\[u${code.toString(16).toUpperCase().padStart(4, '0')}]`;
}

/** Words to type literally. */
export function bold(text: string): string {
  return `\\fB${roff(text)}\\fR`;
}

/** A macro line with quoted arguments. */
export function macro(name: string, ...args: readonly string[]): string {
  return `.${name}${args.map((arg) => ` "${roff(arg).replaceAll('"', '\\(dq')}"`).join('')}`;
}

/** A term with its meaning. */
export function term(name: string, meaning: string): string[] {
  return ['.TP', bold(name), roff(meaning === '' ? ' ' : meaning)];
}

/** Lines without filling. */
export function literal(texts: readonly string[]): string[] {
  return ['.PP', '.nf', '.RS 4', ...texts.map((text) => (text === '' ? '.sp' : roff(text))), '.RE', '.fi'];
}
