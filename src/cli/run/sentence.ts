import type { Command, ManualInput } from '../declare/command.js';
import { statusOf } from '../declare/traits.js';
import type { PlannedCall } from './assemble.js';

/** What a change is called: before it, in questions; after it, in what it says it did. */

/** `space` → `spaces`, `reply` → `replies`. */
function several(noun: string): string {
  return noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}

/** What is said on a terminal in place of a list with nothing in it. */
export function nothingListed(
  command: Pick<Command, 'name'>,
  { group }: Pick<ManualInput, 'group'>,
  { input: { query = {} } }: PlannedCall,
): string {
  const noun = command.name === 'list' ? group?.noun : undefined;
  if (noun === undefined) return 'Nothing found.';
  return Object.keys(query).some((key) => !['limit', 'page'].includes(key))
    ? `No ${several(noun)} match.`
    : `No ${several(noun)}.`;
}

/** `Delete space s1` before, `Deleted space s1` after; with its title where that was given: `Handbook (s1)`. */
export function sentence(
  command: Command,
  input: Pick<ManualInput, 'group' | 'titles'>,
  calls: readonly PlannedCall[],
  when: 'ask' | 'done',
): string {
  const verb = command.name.replaceAll('-', ' ');
  const noun = input.group?.noun ?? 'item';
  const id = calls[0]?.id ?? '';
  const title = input.titles?.[id];
  const one = title === undefined || title === id ? id : `${title} (${id})`;
  const what = calls.length === 1 ? `${noun} ${one}` : `${calls.length} ${several(noun)}`;
  const words = when === 'ask' ? verb : statusOf(command, (calls[0] as PlannedCall).op);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)} ${what}`;
}
