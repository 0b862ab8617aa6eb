import type { AnyOperation } from '../../api/operation.js';
import type { RecordedOperation } from '../../jobs/rule-book.js';
import type { RuledResource } from '../../jobs/rules/makers.js';
import { plainRules } from '../../jobs/rules/plain.js';
import { operationsOf } from '../../model/operations.js';
import { aboutOperation } from '../../model/resources.js';
import type { Command } from '../declare/command.js';
import { type ReadRecord, withoutSchemas } from '../declare/record.js';
import { viewOf } from '../declare/shown.js';
import { guardedAlways } from './guard.js';

/**
 * What a change needs of its declaration where no code of its own takes part: the build writes one for each command
 * whose rules are plain, so that `docs spaces update <id> --title x --yes` evaluates no group, no schema of answers and no
 * rules of others (docs/decisions/074-records.md).
 */
export interface ChangeRecord extends Omit<ReadRecord, 'operations' | 'spec'> {
  /** With the schemas of what they take, and without what they widen: see `widening`. */
  operations: readonly [RecordedOperation, ...RecordedOperation[]];
  spec: Pick<NonNullable<Command['spec']>, 'listedBy' | 'done'>;
  /** Fields of bodies that may widen who sees or joins something: what they mean takes the declaration. */
  widening: readonly string[];
}

/** Made by the build, and on the spot where the sources run; undefined where code of the command takes part. */
export function changeRecordOf(command: Command): ChangeRecord | undefined {
  const { spec, operations } = command;
  if (spec === undefined || !isOfData(command) || !operations.every(isPlain)) return undefined;
  const [first, ...more] = operations.map(recorded);
  if (first === undefined) return undefined;
  const { listedBy, done } = spec;
  return {
    operations: [first, ...more],
    views: operations.map((op) => viewOf(command, op)),
    spec: { listedBy, done },
    widening: operations.flatMap(({ exposes = {} }) => Object.keys(exposes)),
  };
}

/** Whether what is typed for a command is sent as it is, and nothing but its rules looks at it. */
function isOfData({ spec, run, danger, args, options, watch }: Command): boolean {
  const code = [run, watch, spec?.guard, spec?.guardFlags, spec?.pages];
  if (danger === 'read' || code.some((own) => own !== undefined)) return false;
  const isParsed = ({ field = '' }: { field?: string | undefined }) => {
    const { parse } = spec?.flags?.[field] || {};
    return parse !== undefined;
  };
  return !args.some(isParsed) && !options.some(({ receives }) => receives === true);
}

/** Whether an operation has a plain rule, no guard, and widens at most by the fields that it is sent. */
function isPlain({ id, method, exposes = {} }: AnyOperation): boolean {
  if (method === 'GET' || Array.isArray(exposes) || id in guardedAlways) return false;
  return id in plainRules && Object.values(exposes).every((one) => one?.absent === undefined);
}

function recorded(op: AnyOperation): RecordedOperation {
  const resource = resourceOf(op.id);
  const { id, parameter, gets, lists } = resource;
  const ids = new Set([...gets, ...lists]);
  const find = (asked: readonly string[]) => {
    for (const one of asked) ids.add(one);
    return operationsOf(asked);
  };
  const rule = plainRules[op.id];
  if (typeof rule === 'function') rule(op, Object.assign(find, { resourceOf }));
  return {
    ...withoutSchemas(op),
    ...{ query: op.query, body: op.body, found: operationsOf([...ids]).map(withoutSchemas) },
    // None of these rules creates: what else is done to the resource is not asked for.
    resource: { id, parameter, gets, lists, operations: {} },
  };
}

function resourceOf(operation: string): RuledResource {
  const about = aboutOperation(operation);
  if (about === undefined) throw new Error(`no resource has the operation ${operation}`);
  return about.resource;
}
