import type { LooseInput } from '../../api/client.js';
import type { Subject } from '../../api/transport.js';
import { shellWord } from '../../base/shell-word.js';
import { defined } from '../../base/values.js';
import { type Command, camel, isGroup, type ManualInput } from '../declare/command.js';
import { type ContextParameter, contextFlags } from '../declare/context-flags.js';
import { canBeId } from '../resolve/id-places.js';
import type { PlannedCall } from './assemble.js';

/** What a request is about, for its errors: the resource, and the commands that show it and list its kind. */
export function subjectOf(
  { spec }: Command,
  input: ManualInput,
  { op, id: lastId, input: sent }: PlannedCall,
  platform: NodeJS.Platform,
): { subject: Subject } {
  const get = sibling(input, 'get');
  const own = get?.args.at(-1)?.field;
  // What is yet to be created has no id; the last one of its path is the parent's.
  const id = own === undefined ? lastId : (sent.path?.[own] ?? '');
  const noun = input.group?.noun ?? 'resource';
  const showCommand = id === '' ? undefined : commandLine(get, input, sent, platform);
  const byTitle = showCommand !== undefined && !canBeId(lastId) ? `${showCommand} --by-title` : undefined;
  const listCommand = spec?.listedBy ?? byTitle ?? commandLine(sibling(input, 'list'), input, sent, platform);
  const what = id === '' && op.method !== 'GET' ? `new ${noun}` : `${noun} ${id}`.trim();
  return { subject: { what, ...defined({ showCommand, listCommand }) } };
}

function sibling({ group }: ManualInput, name: string): Command | undefined {
  const found = group?.commands.find((entry) => entry.name === name);
  return found === undefined || isGroup(found) ? undefined : found;
}

/** The words of a command for the same resource; undefined if the request does not tell all it needs. */
function commandLine(
  command: Command | undefined,
  input: ManualInput,
  { path = {} }: LooseInput,
  platform: NodeJS.Platform,
): string | undefined {
  if (command === undefined) return undefined;
  const words: string[] = [];
  for (const { field, required } of command.args) {
    const value = field === undefined ? undefined : path[field];
    if (value !== undefined) words.push(shellWord(value, platform));
    else if (required) return undefined;
  }
  const parents = contextWords(command, input, platform);
  return ['docs', input.groupPath, command.name, ...words, ...parents].join(' ');
}

/** The parents that were given as flags and that a command takes, as words: `--space s1`. */
export function contextWords(command: Command, input: ManualInput, platform: NodeJS.Platform): string[] {
  return (Object.entries(contextFlags) as [ContextParameter, string][]).flatMap(([parameter, flag]) => {
    const typed = input.options[camel(flag)];
    const taken = command.options.some((option) => option.field === parameter);
    return typeof typed === 'string' && taken ? [`--${flag}`, shellWord(typed, platform)] : [];
  });
}
