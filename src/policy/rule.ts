import type { AnyOperation } from '../api/operation.js';
import { operations } from '../api/resources/index.js';
import { withNearest } from '../files/yaml/mistake.js';
import type { CommandTable } from './command-table.js';
import { type KnownField, knownFields } from './known-fields.js';
import { dangers, surenesses, wordsMatch } from './match.js';
import type { Rule } from './policy.js';

/** Why a rule is not one: the rest of a sentence about it. */
export type RuleMistake = Pick<ReturnType<typeof withNearest>, 'message' | 'nearest'>;

const attribute = /^([A-Za-z][\w-]*(?:\.(?:[\w@-]+|\*))*)=(.+)$/s;
/** Words, and attributes whose value may be in double quotes. */
const token = /[^\s"]+="[^"]*"(?=\s|$)|\S+/g;

/**
 * Reads a rule: `read`, or the words of commands with `*`, then attributes.
 * @param line in the file, from 1
 * @returns its mistakes where it names no command, field or value that there is
 */
export function readRule(text: string, line: number, table: CommandTable): Rule | RuleMistake[] {
  const tokens = text.match(token) ?? [];
  const at = tokens.findIndex((one) => one.includes('='));
  const words = at < 0 ? tokens : tokens.slice(0, at);
  const rest = at < 0 ? [] : tokens.slice(at);
  if (words.length === 0) return [{ message: 'must begin with "read", a command or "*"' }];
  const attributes = rest.map((one) => attributeOf(one));
  if (words[0] === 'read' && words.length === 1) {
    if (rest.length > 0) return [{ message: 'takes no attributes after "read"' }];
    return { text, line, read: true, words: [], attributes: [] };
  }
  const unknown = unknownWords(words, table);
  if (unknown !== undefined) return [unknown];
  const mistakes = attributes.flatMap((one, index) =>
    one === undefined ? [notAttribute(rest[index] ?? '')] : attributeMistakes(words, one, table),
  );
  if (mistakes.length > 0) return mistakes;
  return { text, line, words, attributes: attributes.filter((one) => one !== undefined) };
}

function attributeOf(text: string): Rule['attributes'][number] | undefined {
  const [, name, value = ''] = attribute.exec(text) ?? [];
  return name === undefined ? undefined : { name, value: /^"(.*)"$/s.exec(value)?.[1] ?? value };
}

function notAttribute(text: string): RuleMistake {
  return text.includes('=')
    ? { message: 'has an attribute that is not name=value; quote a value with spaces: title="Team Handbook"' }
    : { message: 'has words after an attribute; words come first: members update role=admin' };
}

function unknownWords(words: readonly string[], { commands }: CommandTable): RuleMistake | undefined {
  if (
    words.slice(0, -1).some((word) => word.includes('*') && word !== '*') ||
    /.\*|\*./.test(words.at(-1) ?? '')
  )
    return { message: 'has "*" within a word; it stands for a whole word' };
  if (commands.some((command) => wordsMatch(words, command.split(' ')))) return undefined;
  const text = words.join(' ');
  if (commands.some((command) => command.startsWith(`${text} `))) {
    const meant = `${text} *`;
    return { message: `names a group of commands; did you mean "${meant}"?`, nearest: meant };
  }
  const near = withNearest('names no known command', text, ['read', ...commands]);
  if (near.nearest !== undefined) return near;
  const groups = new Set(commands.map((command) => command.split(' ')[0] ?? ''));
  return withNearest('names no known command', words[0] ?? '', groups);
}

function attributeMistakes(
  words: readonly string[],
  { name, value }: Rule['attributes'][number],
  table: CommandTable,
): RuleMistake[] {
  if (name === 'danger') return oneOf(name, value, dangers);
  if (name === 'undo') return oneOf(name, value, surenesses);
  const concerned = operationsOf(words, table);
  const fields = concerned.flatMap((op) => knownFields(op).filter((field) => names(field.path, name)));
  if (fields.length > 0) return valueMistakes(name, value, fields);
  const known = new Set(concerned.flatMap((op) => knownFields(op).flatMap(({ path }) => namesOf(path))));
  const where = words.length === 1 && words[0] === '*' ? 'any command' : `"${words.join(' ')}"`;
  const near = withNearest(`has the attribute "${name}", which ${where} never sends`, name, [
    ...['danger', 'undo'],
    ...known,
  ]);
  return [near];
}

function oneOf(name: string, value: string, words: readonly string[]): RuleMistake[] {
  if (words.includes(value)) return [];
  return [withNearest(`has an unknown ${name}; known: ${words.join(', ')}`, value, words)];
}

/** The operations that a rule is about: of commands made of several, any. */
function operationsOf(words: readonly string[], table: CommandTable): readonly AnyOperation[] {
  const own = operations.filter((op) => {
    const command = table.operations.get(op.id)?.words;
    return command !== undefined && wordsMatch(words, command.split(' '));
  });
  const commands = new Set([...table.operations.values()].map((one) => one.words));
  const further = table.commands.some(
    (command) => !commands.has(command) && wordsMatch(words, command.split(' ')),
  );
  return further ? operations : own;
}

/** Whether an attribute names a field: by its whole path, or by its end. */
function names(path: readonly string[], name: string): boolean {
  const asked = name.split('.');
  for (let from = 0; from < path.length; from += 1) {
    const part = path.slice(from);
    const open = part.at(-1) === '**';
    const plain = open ? part.slice(0, -1) : part;
    if (open ? asked.length < plain.length : asked.length !== plain.length) continue;
    if (open && plain.length === 0) continue;
    if (plain.every((word, at) => word === '*' || asked[at] === '*' || word === asked[at])) return true;
  }
  return false;
}

function namesOf(path: readonly string[]): string[] {
  const plain = path.filter((word) => word !== '**');
  return [plain.join('.'), plain.at(-1) ?? ''];
}

/** A value that no field of the name can have would never match, and never deny. */
function valueMistakes(name: string, value: string, fields: readonly KnownField[]): RuleMistake[] {
  const closed = fields.map((field) => field.values);
  if (closed.some((values) => values === undefined)) return [];
  const known = [...new Set(closed.flatMap((values) => values ?? []))];
  return known.includes(value)
    ? []
    : [withNearest(`has a value that ${name} never has; known: ${known.join(', ')}`, value, known)];
}
