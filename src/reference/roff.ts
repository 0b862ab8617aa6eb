/** Builds man pages for groff and mandoc. */

/** Escapes all characters with a meaning in roff; non-ASCII by code point. */
export function roff(text: string): string {
  return [...text]
    .map(letter)
    .join('')
    .replace(/^([.'])/, '\\&$1');
}

const named: Readonly<Record<string, string>> = {
  '\\': '\\e',
  '-': '\\-',
  "'": '\\(aq',
  '`': '\\(ga',
  '^': '\\(ha',
  '~': '\\(ti',
};

function letter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return named[character] ?? character;
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
