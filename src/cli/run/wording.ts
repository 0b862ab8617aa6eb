import { pluralOf } from '../../model/resources.js';
import type { Command, ManualInput } from '../declare/command.js';
import { statusOf } from '../declare/traits.js';
import type { PlannedCall } from './assemble.js';

/** What the items of a list are called: `members`. */
export function listNoun({ name }: Command, { group }: ManualInput): string | undefined {
  return name === 'list' && group?.noun !== undefined ? pluralOf(group.noun) : undefined;
}

/** What a terminal shows instead of an empty list. */
export function emptyListText({ name }: Command, { group }: ManualInput, { input }: PlannedCall): string {
  const noun = name === 'list' ? group?.noun : undefined;
  if (noun === undefined) return 'Nothing found.';
  const filtered = Object.keys(input.query ?? {}).some((key) => !['limit', 'page'].includes(key));
  return filtered ? `No ${pluralOf(noun)} match.` : `No ${pluralOf(noun)}.`;
}

/** `Delete space s1` in a question, `Deleted space s1` after; with the title that was typed: `Handbook (s1)`. */
export function changeText(
  command: Command,
  { group, titles }: Pick<ManualInput, 'group' | 'titles'>,
  calls: readonly PlannedCall[],
  when: 'ask' | 'done',
): string {
  const noun = group?.noun ?? 'item';
  const id = calls[0]?.id ?? '';
  const title = titles?.[id];
  const one = title === undefined || title === id ? id : `${title} (${id})`;
  const what = calls.length === 1 ? `${noun} ${one}` : `${calls.length} ${pluralOf(noun)}`;
  const verb =
    when === 'ask' ? command.name.replaceAll('-', ' ') : statusOf(command, (calls[0] as PlannedCall).op);
  return `${verb.charAt(0).toUpperCase()}${verb.slice(1)} ${what}`;
}
