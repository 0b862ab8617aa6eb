import type { TSchema } from '@sinclair/typebox';
import { type AnyOperation, pathParameters } from '../../api/operation.js';
import type { Command, ManualSpec, Option } from './command.js';

/** The positional that takes many ids, if the command has one. */
export function manyArgument(
  command: Pick<Command, 'args' | 'operations'>,
): { name: string; field: string } | undefined {
  const paths = command.operations.flatMap((op) => pathParameters(op.path));
  const found = command.args.find(
    (arg) => arg.variadic && arg.field !== undefined && paths.includes(arg.field),
  );
  return found?.field === undefined ? undefined : { name: found.name, field: found.field };
}

/** Whether an operation answers with a list, or with an object that holds one. */
export function answersList({ method, returns }: AnyOperation, listIn: string | undefined): boolean {
  if (method !== 'GET' || returns.kind === 'none') return false;
  return returns.kind === 'page' || listIn !== undefined || returns.schema.type === 'array';
}

/** Whether a hand-written command prints a list with columns of its own, whatever its flags. */
export function printsList({ returns, columns }: Pick<ManualSpec, 'returns' | 'columns'>): boolean {
  if (returns === undefined || columns === undefined) return false;
  const shapes: readonly TSchema[] = returns.anyOf ?? [returns];
  return shapes.every(({ type }) => type === 'array');
}

/** Whether what a command changes on the platform can become a plan. */
export function isPlannable({
  operations,
  plannable,
}: Pick<ManualSpec, 'operations' | 'plannable'>): boolean {
  return plannable ?? (operations ?? []).some(({ method }) => method !== 'GET');
}

/** The status that is printed where the platform answers nothing. */
export function statusOf(command: Pick<Command, 'spec'>, op: AnyOperation): string {
  if (command.spec?.done !== undefined) return command.spec.done;
  return op.method === 'DELETE' ? 'deleted' : 'updated';
}

/** The flag that `--editor` opens an editor for, if the command has one. */
export function editedOption({ options }: Pick<Command, 'options'>): Option | undefined {
  return options.find(({ edited, longText }) => edited ?? longText);
}

/** Whether a hand-written command changes something and prints one record of it: a sentence on a terminal. */
export function saysSentence({
  danger = 'read',
  returns,
  passThrough,
}: Pick<ManualSpec, 'danger' | 'returns' | 'passThrough'>): boolean {
  const shapes = returns?.anyOf ?? [returns];
  return danger !== 'read' && passThrough !== true && shapes[0]?.type === 'object';
}
