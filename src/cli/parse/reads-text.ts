import { usageError } from '../../base/errors.js';
import { type Argument, type Command, camel, type ManualInput, type Option } from '../declare/command.js';

/** Which texts a command line reads from files and standard input, by the declaration of its command. */

/** Whether a word is a JSON object, not a path. */
export function isObjectText(word: string): boolean {
  return word.trimStart().startsWith('{');
}

/** Whether a word is a URL with its scheme. */
export function isUrl(word: string): boolean {
  return /^[a-z][a-z\d+.-]*:\/\//i.test(word);
}

/** Whether a command line reads a text; the rows of a file read none. */
export function readsText({ args, options }: Pick<Command, 'args' | 'options'>, input: ManualInput): boolean {
  const given = [
    ...args.map((argument) => [argument, input.args[argument.name]] as const),
    ...options.map((option) => [option, input.options[camel(option.name)]] as const),
  ];
  return given.some(([taker, typed]) => {
    const words = typed === undefined ? [] : [typed].flat().map(String);
    return words.some((word) => reads(taker, word));
  });
}

function reads({ reads: how }: Argument | Option, word: string): boolean {
  if (how === 'pair') return /^[^=]+=@/.test(word);
  if (how === 'at') return word === '-' || word.startsWith('@');
  if (how === 'unless-json') return !isObjectText(word);
  return how === 'unless-url' ? !isUrl(word) : how === 'path';
}

/** Refuses an encoding where no text is read. @throws DocsError usage `contradiction` */
export function refuseIdleEncoding(command: Pick<Command, 'args' | 'options'>, input: ManualInput): void {
  if (input.options.encoding === undefined || readsText(command, input)) return;
  const takers = [...command.args, ...command.options].filter(({ reads: how }) => how !== undefined);
  const names = takers.map((taker) => ('value' in taker ? `--${taker.name}` : `<${taker.name}>`));
  const message = `--encoding is for a text from a file or standard input, and none is read here. Texts are read by: ${names.join(', ')}.`;
  throw usageError('contradiction', message);
}
