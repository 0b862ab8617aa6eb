import { createSite, deleteSite } from '../api/resources/sites.js';
import type { JobFolder } from '../jobs/job-folder.js';
import { changeId } from '../jobs/references.js';
import { requestFor } from '../jobs/request.js';
import type { Live, LiveItem } from '../organization/model.js';
import type { Draft } from '../plans/plan.js';
import type { LostSpace } from './lost-spaces.js';

/** Sites that a restore made because a new space comes only with a site. They go once the space has its place. */

/** Whether the journals of this machine have a restore that made a site. */
export function sitesMade(folder: JobFolder, origin: string): (siteId: string) => boolean {
  const made = new Set<unknown>();
  for (const { header, items } of folder.readAll(() => {})) {
    if (header.origin !== origin || header.command !== 'backup restore') continue;
    for (const { plan, state, answer } of items)
      if (plan.op === createSite.id && state === 'ok') made.add((answer as { id?: unknown } | undefined)?.id);
  }
  return (id) => made.has(id);
}

/** Those that are as they were made: not published, and with no other space than the new one. */
export function helperSites(
  live: Live,
  lost: readonly LostSpace[],
  madeHere: (siteId: string) => boolean,
): LiveItem[] {
  const replaced = new Map(lost.flatMap(({ now, saved }) => (now === undefined ? [] : [[now, saved.title]])));
  const placed = live.items.get('site-spaces') ?? [];
  return (live.items.get('sites') ?? []).filter((site) => {
    const { published, visibility } = site.resource;
    if (!madeHere(site.id) || published !== false || visibility !== 'unlisted') return false;
    const inside = (live.items.get('sections') ?? []).some(({ parent }) => parent === site);
    const own = placed.filter(({ parent }) => parent === site);
    const [only] = own;
    return !inside && own.length === 1 && replaced.get(only?.natural ?? '') === site.title;
  });
}

/** @param drafts the changes of the plan so far, all of which come first */
export function draftsForHelpers(
  sites: readonly LiveItem[],
  organizationId: string,
  drafts: readonly Draft[],
): Draft[] {
  const before = drafts.map((_, at) => changeId(at));
  return sites.map(({ id, title }) => ({
    ...{ kind: 'sites', key: title, action: 'delete', fields: { title: { before: title } }, after: before },
    request: requestFor(deleteSite, { organizationId, siteId: id }),
    risk: 'A restore made this site for the empty space. It is not published and has no other space; the space stays.',
  }));
}
