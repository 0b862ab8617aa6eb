import type { AnyOperation } from '../../api/operation.js';
import { pathParameters } from '../../api/operation-facts.js';
import type { Command, Option } from './command.js';

/** What follows from a declaration, for those who run a command: nothing here makes one. */

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

/** The status that is printed where the platform answers nothing. */
export function statusOf(command: Pick<Command, 'spec'>, op: AnyOperation): string {
  if (command.spec?.done !== undefined) return command.spec.done;
  return op.method === 'DELETE' ? 'deleted' : 'updated';
}

/** The flag that `--editor` opens an editor for, if the command has one. */
export function editedOption({ options }: Pick<Command, 'options'>): Option | undefined {
  return options.find(({ edited, longText }) => edited ?? longText);
}
