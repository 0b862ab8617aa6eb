import { usageError } from '../../base/errors.js';
import type { Command, ManualInput, Option } from '../declare/command.js';
import type { Session } from '../declare/session.js';
import { editedOption, manyArgument } from '../declare/traits.js';
import { type Asking, lacksOption, type Typed, type Values } from './gather.js';

/** What a command line lacks: asked for where somebody is there; what asks is loaded only then. */

/**
 * The positionals and flags that a hand-written command requires: what is missing is asked for on a terminal.
 * Elsewhere the command names a missing flag itself.
 * @throws DocsError usage `missing_argument` where nobody can be asked
 */
export async function requireArguments(
  session: Session,
  command: Command,
  input: ManualInput,
): Promise<ManualInput> {
  if (command.spec !== undefined) return input;
  const { args, options } = command;
  const isMissing =
    args.some(({ name, required }) => required && (input.args[name]?.length ?? 0) === 0) ||
    (session.interactive && options.some((option) => lacksOption(input, option)));
  if (!isMissing && input.options.editor !== true) return input;
  const { askArguments, editOption } = await import('./ask-missing.js');
  const complete = isMissing ? await askArguments(session, command, input) : input;
  return input.options.editor === true ? editOption(session, command, complete) : complete;
}

/**
 * Asks for what is required and missing, and opens the editor; without a terminal only a missing positional fails
 * here. @param hasIds whether the positional that takes many has values
 */
export async function askForMissing(
  typed: Typed,
  values: Values,
  base: Record<string, unknown>,
  hasIds: boolean,
  asking: Asking,
): Promise<void> {
  const { command, input, session } = typed;
  const many = manyArgument(command);
  const lacks = ({ required, field }: Pick<Option, 'required' | 'field'>): boolean =>
    required && field !== undefined && !values.has(field);
  const args = command.args.filter((arg) => lacks(arg) && !(arg.field === many?.field && hasIds));
  // Elsewhere the check names what is missing, together with all else that is wrong.
  const options = session.interactive
    ? command.options.filter((option) => lacks(option) && !((option.field ?? '') in base))
    : [];
  if (args.length + options.length === 0 && input.options.editor !== true) return;
  const { askAll } = await import('./ask-missing.js');
  await askAll(typed, values, { args, options }, asking);
}

/** Refuses `--editor` where nobody can write. @throws DocsError usage `no_terminal`, `not_available` */
export function refuseEditor({ interactive }: Session, command: Command, input: ManualInput): void {
  const option = editedOption(command);
  if (input.options.editor !== true || option === undefined || interactive) return;
  const reads = option.longText ? `@file, or - for standard input` : option.value;
  const message = `--editor needs a terminal, and questions are off here; nothing was sent. Pass --${option.name} ${reads} instead.`;
  throw usageError('no_terminal', message);
}
