import type { TSchema } from '@sinclair/typebox';
import type { AnyOperation } from '../../api/operation.js';
import { defined } from '../../base/values.js';
import { type Command, type Group, type GroupEntry, isGroup, type Option } from './command.js';
import {
  type CommandOutline,
  commandTree,
  isOfOperations,
  type Kept,
  kept,
  type OptionOutline,
  type Outline,
} from './outline.js';
import { groupAround, isRecorded, type ReadRecord, recordOf } from './record.js';
import { viewOf } from './shown.js';

/** What the build writes as data: the outlines of all groups, and the records of reads. */

/** Whether a record of what a command changes is written. */
type ChangeTest = (command: Command) => boolean;

/** The outlines of all groups, by name. */
export async function outlines(
  groups: readonly GroupEntry[],
  isChange: ChangeTest = () => false,
): Promise<Map<string, Outline>> {
  const all = await Promise.all(groups.map(async ({ name, load }) => [name, await load()] as const));
  return new Map(all.map(([name, node]) => [name, withoutCode(node, isChange)]));
}

function withoutCode(node: Command | Group, isChange: ChangeTest): Outline {
  if (!isGroup(node)) return commandOutline(node, isChange);
  const { own, commands, ...rest } = node;
  const inside = commands.map((child) => withoutCode(child, isChange));
  return { ...rest, ...(own && { own: commandOutline(own, isChange) }), commands: inside };
}

function commandOutline(command: Command, isChange: ChangeTest): CommandOutline {
  return defined({
    ...(Object.fromEntries(kept.map((key) => [key, command[key]])) as Kept),
    args: command.args.map(({ offers: _, check: __, ...arg }) => arg),
    options: command.options.map(optionOutline),
    operations: command.operations.map(requestOutline),
    reads: command.reads?.map(requestOutline),
    ofOperations: isOfOperations(command) ? (true as const) : undefined,
    recorded: isRecorded(command) || (isChange(command) ? ('change' as const) : undefined),
  });
}

function requestOutline({ id, method, path }: AnyOperation): Pick<AnyOperation, 'id' | 'method' | 'path'> {
  return { id, method, path };
}

/** What help tells of a value. */
const limits = ['minLength', 'maxLength', 'minimum', 'maximum', 'pattern'] as const;

function optionOutline({
  parse,
  sets: __,
  secret: ___,
  offers: ____,
  check: _____,
  schema,
  ...rest
}: Option): OptionOutline {
  const option = { ...rest, ...(parse !== undefined && { parsed: true as const }) };
  if (schema === undefined) return option;
  const told = limits.flatMap((keyword) =>
    schema[keyword] === undefined ? [] : [[keyword, schema[keyword] as unknown]],
  );
  return told.length === 0 ? option : { ...option, schema: Object.fromEntries(told) as TSchema };
}

/**
 * The records of all commands that have one, by the words after `docs`.
 * @param changeOf the record of what a command changes
 */
export async function records<T = ReadRecord>(
  groups: readonly GroupEntry[],
  changeOf: (command: Command) => T | undefined = () => undefined,
): Promise<Map<string, ReadRecord | T>> {
  const all = await commandTree(groups);
  const outlined = await outlines(groups, (command) => changeOf(command) !== undefined);
  return new Map(
    all.flatMap(({ path, command }) => {
      const record = recordOf(command, viewOf) ?? changeOf(command);
      if (record === undefined) return [];
      const [root = '', name = '', ...more] = path.split(' ');
      const node = more.length === 0 ? outlined.get(root) : undefined;
      const group = node && isGroup(node) ? groupAround(name, node) : undefined;
      return [[path, { ...record, group }] as const];
    }),
  );
}
