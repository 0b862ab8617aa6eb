import type { DesiredItem } from '../model.js';
import type { FieldChange } from './compare.js';
import type { Drafting } from './drafting.js';
import { shown } from './ids.js';

/** Fields that were changed in the files and on the platform. */

/** What becomes of a conflict: what the caller takes, if anything. */
export function taken(
  { world }: Drafting,
  { address }: DesiredItem,
  cause: FieldChange['cause'],
): FieldChange['cause'] | undefined {
  if (cause !== 'conflict') return cause;
  const take = world.options.take.get(address);
  if (take === undefined) return 'conflict';
  return take === 'file' ? 'change' : undefined;
}

export function conflict(
  drafting: Drafting,
  item: DesiredItem,
  change: Pick<FieldChange, 'name'> & Partial<FieldChange>,
): void {
  const { name, before, after } = change;
  drafting.find(item, {
    code: 'conflict',
    message: `Changed in ${item.at.file} and on the platform.`,
    hint: `Add --take file=${item.address} to apply the file, or --take live=${item.address} to keep the platform.`,
    fields: { [name]: { before: shown(before), after: drafting.world.environment.sealed(shown(after)) } },
  });
}
