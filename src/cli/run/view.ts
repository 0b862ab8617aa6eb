import type { LooseInput } from '../../api/client.js';
import type { Subject } from '../../api/transport.js';
import { canBeId } from '../../base/ids.js';
import { pluralOf } from '../../base/name.js';
import { shellWord } from '../../base/shell-word.js';
import { isObject } from '../../base/values.js';
import type { Change } from '../../jobs/change.js';
import { type Command, camel, type ManualInput } from '../declare/command.js';
import { type ContextParameter, contextFlags } from '../declare/global-flags.js';
import type { CommandOutline } from '../declare/outline.js';
import type { Session } from '../declare/session.js';
import { asksForValue } from './output.js';

/** What of a command matters for what is said of its answers. */
export interface DescribedCommand extends Pick<Command, 'name'> {
  spec?: Pick<NonNullable<Command['spec']>, 'listIn' | 'children' | 'listedBy'>;
}

/** What of the line, and of the group that its command stands in, matters for that. */
export interface DescribedLine extends Pick<ManualInput, 'options' | 'groupPath'> {
  group?: { noun?: string; commands: readonly (Named | { name: string })[] };
}

/**
 * The items of an answer that is a list at heart (`listIn`), trees flattened (`children`).
 * @returns undefined if the answer is shown as it is: a resource, or a tree in a format that can hold one
 */
export function itemsOfAnswer(
  session: Session,
  { spec }: DescribedCommand,
  answer: unknown,
): unknown[] | undefined {
  const { listIn, children } = spec ?? {};
  const list = listIn === undefined ? answer : (answer as Record<string, unknown>)[listIn];
  if (!Array.isArray(list) || children === undefined) return Array.isArray(list) ? list : undefined;
  // A value can hold a tree; `--fields` picks from items, whatever the format.
  const keepsTree = session.settings.fields === undefined && asksForValue(session);
  return keepsTree ? undefined : [...flattened(list, children)];
}

/** Items depth first, each with its depth instead of its children. A stack: depth has no limit. */
function* flattened(roots: readonly unknown[], children: string): Generator<unknown> {
  const waiting = roots.map((item) => ({ item, depth: 0 })).reverse();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { item, depth } = next;
    if (!isObject(item)) continue;
    const { [children]: below, ...own } = item;
    yield { ...own, depth };
    if (!Array.isArray(below)) continue;
    for (const child of below.toReversed()) waiting.push({ item: child, depth: depth + 1 });
  }
}

/** What the items of a list are called: `members`. */
export function listNoun({ name }: DescribedCommand, { group }: DescribedLine): string | undefined {
  return name === 'list' && group?.noun !== undefined ? pluralOf(group.noun) : undefined;
}

/** What a terminal shows instead of an empty list. */
export function emptyListText(
  { name }: DescribedCommand,
  { group }: DescribedLine,
  { input }: Change,
): string {
  const noun = name === 'list' ? group?.noun : undefined;
  if (noun === undefined) return 'Nothing found.';
  const filtered = Object.keys(input.query ?? {}).some((key) => !['limit', 'page'].includes(key));
  return filtered ? `No ${pluralOf(noun)} match.` : `No ${pluralOf(noun)}.`;
}

/** What a request is about, for its errors: the resource, and the commands that show it and list its kind. */
export function subjectOf(
  command: DescribedCommand,
  input: DescribedLine,
  change: Change,
  platform: NodeJS.Platform,
): { subject: Subject } {
  return {
    // Made for an error: most requests succeed.
    get subject() {
      return subjectsOf(command, input, platform)(change);
    },
  };
}

/** The same for each of the changes that one line asks for. */
export function subjectsOf(
  { spec }: DescribedCommand,
  input: DescribedLine,
  platform: NodeJS.Platform,
): (change: Change) => Subject {
  const get = sibling(input, 'get');
  const own = get?.args.at(-1)?.field;
  const noun = input.group?.noun ?? 'resource';
  const [showLine, listLine] = [get, sibling(input, 'list')].map((one) => linesOf(one, input, platform));
  return ({ op, id: lastId, input: { path } }) => {
    // What is yet to be created has no id; the last one of its path is the parent's.
    const id = own === undefined ? lastId : (path?.[own] ?? '');
    const showCommand = id === '' ? undefined : showLine?.(path);
    const byTitle = showCommand !== undefined && !canBeId(lastId) ? `${showCommand} --by-title` : undefined;
    const listCommand = spec?.listedBy ?? byTitle ?? listLine?.(path);
    const what = id === '' && op.method !== 'GET' ? `new ${noun}` : `${noun} ${id}`.trim();
    return { what, showCommand, listCommand };
  };
}

/** A command of it, whole or in outline. */
type Named = Pick<CommandOutline, 'name' | 'args' | 'options'>;

function sibling({ group }: DescribedLine, name: string): Named | undefined {
  const found = group?.commands.find((entry) => entry.name === name);
  return found !== undefined && 'args' in found ? found : undefined;
}

/** The words of a command for the same resource; undefined if the path of the request does not tell all it needs. */
function linesOf(
  command: Named | undefined,
  input: DescribedLine,
  platform: NodeJS.Platform,
): ((path: LooseInput['path']) => string | undefined) | undefined {
  if (command === undefined) return undefined;
  const { args, name } = command;
  let parents: string[] | undefined;
  return (path = {}) => {
    const words: string[] = [];
    for (const { field, required } of args) {
      const value = field === undefined ? undefined : path[field];
      if (value !== undefined) words.push(shellWord(value, platform));
      else if (required) return undefined;
    }
    parents ??= contextWords(command, input, platform);
    return ['docs', input.groupPath, name, ...words, ...parents].join(' ');
  };
}

/** The parents that were given as flags and that a command takes, as words: `--space s1`. */
export function contextWords(
  command: Named,
  input: Pick<ManualInput, 'options'>,
  platform: NodeJS.Platform,
): string[] {
  return (Object.entries(contextFlags) as [ContextParameter, string][]).flatMap(([parameter, flag]) => {
    const typed = input.options[camel(flag)];
    // First, since the flags of another command are made only where they are looked at.
    if (typeof typed !== 'string') return [];
    const isTaken = command.options.some((option) => option.field === parameter);
    return isTaken ? [`--${flag}`, shellWord(typed, platform)] : [];
  });
}
