import { pluralOf } from '../model/resources.js';
import { kindOf } from '../organization/kinds/index.js';
import { match } from '../organization/match.js';
import type { LiveItem } from '../organization/model.js';
import { counted } from '../output/counted.js';
import type { PlanNote } from '../plans/plan.js';
import { type ContentGap, isMade } from './content.js';
import type { Wanted } from './desired.js';
import type { RestoreOptions } from './options.js';
import { partOf } from './parts.js';

/** What a restore tells beside its operations. */

/** How much of the content is missing, as the beginning of a sentence. */
export function missingIn({ pages, files }: ContentGap): string {
  const parts = [counted(pages, 'page'), counted(files, 'file')].filter((words) => !words.startsWith('0 '));
  return `${parts.join(' and ')} of the backup ${pages + files === 1 ? 'is' : 'are'} missing or changed`;
}

/** What becomes of the content of a space that differs. */
export function contentNotes(gap: ContentGap, options: RestoreOptions): PlanNote[] {
  const { entry, newer, waiting } = gap;
  const { importBase, commands } = options;
  const item = `pages/${entry.title}`;
  if (waiting?.status === 'open') return waitingNotes(gap);
  if (waiting !== undefined && isMade(gap, options)) {
    const message = `${missingIn(gap)}, although change request ${waiting.number} had the content of the backup and is merged.`;
    return [{ code: 'content_merged', item, message, hint: commands.space(entry) }];
  }
  const stays =
    newer === 0 ? '' : ` ${counted(newer, 'page or file', 'pages and files')} that came since stay.`;
  if (importBase === undefined) return [];
  const message = `${missingIn(gap)}. They go into a change request, which is not merged.${stays}`;
  return [{ code: 'content', item, message }];
}

/** The change request that has the content of a space, if it is still open. */
export function waitingNotes({ entry: { title }, spaceId, waiting }: ContentGap): PlanNote[] {
  if (waiting?.status !== 'open') return [];
  const { number } = waiting;
  const message = `Change request ${number} has the content of the backup; review and merge it.`;
  const hint = `docs change-requests get ${number} --space ${spaceId}`;
  return [{ code: 'content_waits', item: `pages/${title}`, message, hint }];
}

/** What came since is named, so that nobody takes the platform for the backup. */
export function newerNotes(
  { desired, lock }: Wanted,
  leaving: ReadonlySet<LiveItem>,
  { live, parts, only }: RestoreOptions,
): PlanNote[] {
  if (only !== undefined) return [];
  const { named } = match(desired, live, lock);
  return [...live.items].flatMap(([name, items]) => {
    const newer = items.filter((item) => !named.has(item) && !leaving.has(item));
    if (newer.length === 0 || !parts.has(partOf[name])) return [];
    const { one } = kindOf(name);
    const words = counted(newer.length, one, pluralOf(one));
    const message = `${words} came since the backup, or cannot be told from it; nothing is removed.`;
    return [{ code: 'newer', item: name, message }];
  });
}
