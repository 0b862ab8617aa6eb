import { readFileSync } from 'node:fs';
import type { AnyOperation } from '../../api/operation.js';
import { pathParameters } from '../../api/operation-facts.js';
import type { View } from '../../output/printer.js';
import { type Command, type GroupEntry, isGroup } from './command.js';
import { type CommandOutline, commandAt, type GroupOutline, outlineOf } from './outline.js';

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
}

/** Set at build time; undefined where the sources run as they are. */
declare const __DOCS_BUILT__: true | undefined;

/**
 * Whether a command reads by what its declaration says and nothing else: no code of its own, and each positional is a
 * part of a path.
 */
export function isRecorded(command: Command | CommandOutline): boolean {
  if (!('spec' in command)) return 'recorded' in command && command.recorded === true;
  const { spec, operations, args, options, danger, run } = command;
  if (spec === undefined || run !== undefined || danger !== 'read') return false;
  if ([spec.pages, spec.guard].some((own) => own !== undefined)) return false;
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

/** The file of a record, beside the program. */
export function recordFile(path: string): string {
  return `records/${path.replaceAll(' ', '.')}.json`;
}

/** The record of a command of which `isRecorded` holds. */
export function recordAt(path: string, groups: readonly GroupEntry[]): Promise<ReadRecord> {
  return readRecord(path, async () => {
    const [{ command }, { viewOf }] = await Promise.all([commandAt(groups, path), import('./shown.js')]);
    return recordOf(command, viewOf);
  });
}

/** @param make makes the record, where the sources run as they are */
export async function readRecord<T>(path: string, make: () => Promise<T | undefined>): Promise<T> {
  const text =
    typeof __DOCS_BUILT__ === 'undefined'
      ? // As the build writes it and reads it back.
        JSON.stringify(await make())
      : readFileSync(`${import.meta.dirname}/${recordFile(path)}`, 'latin1');
  return JSON.parse(text) as T;
}

/** The group that a command stands in, in outline; undefined at the root. */
export async function groupOutlineOf(
  path: string,
  groups: readonly GroupEntry[],
): Promise<GroupOutline | undefined> {
  const [root, ...words] = path.split(' ');
  const entry = groups.find(({ name }) => name === root);
  let node = entry && (await outlineOf(entry));
  for (const word of words.slice(0, -1))
    node = node && isGroup(node) ? node.commands.find(({ name }) => name === word) : undefined;
  return node !== undefined && isGroup(node) && words.length > 0 ? node : undefined;
}
