import type { AnyOperation } from '../../api/operation.js';
import { pathParameters } from '../../api/operation-facts.js';
import type { View } from '../../output/printer.js';
import type { Command } from './command.js';
import { contextFlags } from './global-flags.js';
import type { CommandOutline, GroupOutline } from './outline.js';

/**
 * What a read needs of its declaration when nothing but ids is typed: the build writes one for each such command, so that
 * `docs spaces get <id>` evaluates no group, no schema and no flag (docs/decisions/074-records.md).
 */
export interface ReadRecord {
  /** The operations, of which the ids choose, without the schemas of what they take and return. */
  operations: readonly AnyOperation[];
  /** How the answer of each is shown. */
  views: readonly View[];
  spec: Pick<NonNullable<Command['spec']>, 'listIn' | 'children' | 'listedBy'>;
  /** Of the command of a group at the root: the group as far as its line needs it. */
  group?: GroupOutline | undefined;
}

/**
 * Whether a command reads by what its declaration says and nothing else: no code of its own, and each positional is a
 * part of a path.
 */
export function isRecorded(command: Command | CommandOutline): boolean {
  if (!('spec' in command)) return 'recorded' in command && command.recorded === true;
  const { spec, operations, args, options, danger, run } = command;
  if (spec === undefined || run !== undefined || danger !== 'read') return false;
  if (spec.guard !== undefined) return false;
  if (options.some(({ required }) => required)) return false;
  const isOfPath = (field = '') => operations.every(({ path }) => pathParameters(path).includes(field));
  return (
    operations.every(({ method, query }) => method === 'GET' && (query.required ?? []).length === 0) &&
    args.every(({ field, otherKinds, kindIn }) => isOfPath(field) && (otherKinds ?? kindIn) === undefined) &&
    Object.values(spec.flags ?? {}).every((change) => change === false || change.parse === undefined) &&
    (spec.columns ?? []).every((column) => typeof column === 'string' || column.mark === undefined)
  );
}

/** @param viewOf how answers are shown: it is loaded where records are made */
export function recordOf(
  command: Command,
  viewOf: (command: Command, op: AnyOperation) => View,
): ReadRecord | undefined {
  const { spec, operations } = command;
  if (spec === undefined || !isRecorded(command)) return undefined;
  const { listIn, children, listedBy } = spec;
  return {
    operations: operations.map(withoutSchemas),
    views: operations.map((op) => viewOf(command, op)),
    spec: { listIn, children, listedBy },
  };
}

/** The client looks whether a single answer is an array. */
export function withoutSchemas({ id, method, path, success, needs, returns }: AnyOperation): AnyOperation {
  const query = { type: 'object', properties: {} } as AnyOperation['query'];
  const told = { id, method, path, success, needs, query, summary: '', body: undefined };
  if (returns.kind === 'none') return { ...told, returns };
  if (returns.kind === 'page') return { ...told, returns: { kind: 'page', item: {} as typeof returns.item } };
  const schema = Object.fromEntries([['type', returns.schema.type]]) as typeof returns.schema;
  return { ...told, returns: { kind: 'one', schema } };
}

/**
 * A group as far as a line needs it that names one of its recorded reads: that command, and of those that show and list the
 * same kind what a line of theirs consists of.
 */
export function groupAround(name: string, { own: _, ...group }: GroupOutline): GroupOutline {
  const isOfParent = ({ field = '' }) => Object.hasOwn(contextFlags, field);
  const others = group.commands.flatMap((other) =>
    'args' in other && other.name !== name && ['get', 'list'].includes(other.name)
      ? [{ ...other, why: undefined, examples: [], options: other.options.filter(isOfParent) }]
      : [],
  );
  return { ...group, commands: [...group.commands.filter((one) => one.name === name), ...others] };
}
