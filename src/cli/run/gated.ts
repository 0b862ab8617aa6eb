import { operationOf } from '../../jobs/request.js';
import { effectOf } from '../../policy/decide.js';
import type { GatedCommand } from '../../policy/policy.js';
import { camel, type ManualInput } from '../declare/command.js';
import type { CommandOutline } from '../declare/outline.js';
import type { Globals } from '../declare/session.js';

/** Of a command, what its declaration does not tell. */
interface Typed {
  globals: Pick<Globals, 'dryRun'>;
  savePlan?: string;
  /** Absent where the job of a command is meant, and not what is typed. */
  input?: ManualInput;
}

/** A command as a policy sees it. @param words those after `docs` */
export function gatedCommand(
  words: string,
  command: Pick<CommandOutline, 'operations' | 'danger' | 'effect' | 'changesWith' | 'carrier'>,
  { globals, savePlan, input }: Typed = { globals: {} },
): GatedCommand {
  const carrier = command.carrier === true;
  const isTyped = (flag: string) => input === undefined || input.options[camel(flag)] !== undefined;
  const onlyReads = command.changesWith !== undefined && !command.changesWith.some(isTyped);
  const effect = onlyReads ? 'read' : carrier ? 'write' : effectIn(command);
  return {
    words,
    changes: globals.dryRun !== true && savePlan === undefined,
    effect,
    danger: onlyReads ? 'read' : command.danger,
    carrier,
  };
}

function effectIn({
  operations,
  effect,
}: Pick<CommandOutline, 'operations' | 'effect'>): GatedCommand['effect'] {
  const effects = operations.map(({ id }) => effectOf({ op: operationOf(id) }));
  if (effects.includes('delete')) return 'delete';
  if (effects.includes('write')) return 'write';
  return effect ?? 'read';
}
