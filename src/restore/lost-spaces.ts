import type { Client } from '../api/client.js';
import { createSite, deleteSite } from '../api/resources/sites.js';
import { getSpace, restoreSpace } from '../api/resources/spaces.js';
import { DocsError } from '../base/errors.js';
import { requestFor } from '../jobs/change.js';
import type { JobFolder } from '../jobs/job-folder.js';
import type { Live, LiveItem } from '../organization/model.js';
import type { Draft, PlanNote } from '../plans/plan.js';

/** Spaces of a backup that the lists of the platform no longer show. */

export interface LostSpace {
  saved: LiveItem;
  /**
   * - `deleted`: it can be restored, as far as is known
   * - `purged`: a restore of it was refused before, so an empty one is made
   * - `replaced`: purged, and a space of its title, which the backup does not have, takes its place
   * - `moved`: another organization has it
   * - `hidden`: it is there, and no list that the token may read has it
   */
  state: 'deleted' | 'purged' | 'replaced' | 'moved' | 'hidden';
  /** The id of the space in its place. */
  now?: string;
}

/** @param wasRefused whether a restore of a space was tried here, and the platform no longer had it */
export async function lostSpaces(
  client: Client,
  saved: Live,
  live: Live,
  wasRefused: (id: string) => boolean,
): Promise<LostSpace[]> {
  const all = saved.items.get('spaces') ?? [];
  const present = new Set((live.items.get('spaces') ?? []).map(({ id }) => id));
  const known = new Set(all.map(({ id }) => id));
  const newer = (live.items.get('spaces') ?? []).filter(({ id }) => !known.has(id));
  const lost = all.filter(({ id }) => !present.has(id));
  const taken = new Set<string>();
  const found: LostSpace[] = [];
  for (const item of lost) {
    const organization = await organizationNow(client, item.id);
    if (organization !== undefined) {
      found.push({ saved: item, state: organization === saved.organizationId ? 'hidden' : 'moved' });
      continue;
    }
    const same = wasRefused(item.id)
      ? newer.filter(({ id, title }) => title === item.title && !taken.has(id))
      : [];
    const [now] = same;
    if (same.length === 1 && now !== undefined) {
      taken.add(now.id);
      found.push({ saved: item, state: 'replaced', now: now.id });
    } else found.push({ saved: item, state: wasRefused(item.id) ? 'purged' : 'deleted' });
  }
  return found;
}

/** The id that a space of the backup has now. */
export function idsNow(lost: readonly LostSpace[]): (id: string) => string {
  const replaced = new Map(lost.map(({ saved, now }) => [saved.id, now]));
  return (id) => replaced.get(id) ?? id;
}

/** The organization that has a space; undefined where it was deleted. */
async function organizationNow(client: Client, spaceId: string): Promise<string | undefined> {
  try {
    return (await client.call(getSpace, { path: { spaceId } })).organization ?? '';
  } catch (cause) {
    if (cause instanceof DocsError && cause.kind === 'not-found') return undefined;
    if (cause instanceof DocsError && cause.kind === 'forbidden') return '';
    throw cause;
  }
}

/** Whether the journals of this machine have a restore of a space that the platform no longer had. */
export function refusedRestores(folder: JobFolder, origin: string): (id: string) => boolean {
  const refused = new Set<string>();
  for (const job of folder.readAll(() => {})) {
    if (job.header.origin !== origin) continue;
    for (const { change, state, error } of job.items)
      if (change.op.id === restoreSpace.id && state === 'failed' && error?.status === 404)
        refused.add(change.id);
  }
  return (id) => refused.has(id);
}

/** What brings them back: out of the trash, or as an empty space, which no operation makes but with a site. */
export function draftsForLost(lost: readonly LostSpace[], organizationId: string): Draft[] {
  return lost.flatMap(({ saved, state }): Draft[] => {
    const shared = { kind: 'spaces', key: saved.title, action: 'create' as const };
    if (state === 'deleted')
      return [
        {
          ...shared,
          fields: { title: { after: saved.title }, from: { after: 'trash' } },
          change: requestFor(restoreSpace, { spaceId: saved.id }),
        },
      ];
    if (state !== 'purged') return [];
    const body = { type: 'basic', title: saved.title, visibility: 'unlisted', spaces: 'empty' };
    return [
      {
        ...shared,
        fields: { title: { after: saved.title }, from: { after: 'a new, empty space' } },
        change: requestFor(createSite, { organizationId }, body),
        risk: 'The API creates a space only together with a site. The site is unlisted and not published, and the next run deletes it; its space stays.',
      },
    ];
  });
}

const told = {
  deleted: (title: string) =>
    `${title} was deleted. Step 1 of 2: it comes out of the trash with its content. The next run compares it with the backup or, if it is no longer in the trash, creates an empty space.`,
  purged: (title: string) =>
    `${title} was permanently deleted. Step 1 of 2: an empty space takes its place. The next run brings its settings, its places and its content.`,
  replaced: (title: string) =>
    `${title} was permanently deleted; a newer space of the same title takes its place. Step 2 of 2: its settings, its places and its content.`,
};

/** @param again the command that goes on once they are back */
export function notesForLost(lost: readonly LostSpace[], again: string): PlanNote[] {
  return lost.flatMap(({ saved: { title }, state }) => {
    if (state === 'moved' || state === 'hidden') return [];
    const hint = state === 'replaced' ? {} : { hint: again };
    return [{ code: `space_${state}`, item: `spaces/${title}`, message: told[state](title), ...hint }];
  });
}

/** Those that a restore cannot reach. */
export function findingsForLost(lost: readonly LostSpace[]): Draft[] {
  const why = {
    moved: 'It belongs to another organization now, or the token may not see it.',
    hidden: 'It is there, but no list that the token may read has it.',
  };
  return lost.flatMap(({ saved: { title }, state }): Draft[] => {
    if (state !== 'moved' && state !== 'hidden') return [];
    const finding = {
      code: `space_${state}`,
      message: why[state],
      hint: 'Use the token of an administrator.',
    };
    return [{ kind: 'spaces', key: title, action: 'finding', fields: {}, finding }];
  });
}

/** What cannot be compared now: the spaces, their places on sites, and sections that would be empty. */
export function leftOutWith(saved: Live, lost: readonly LostSpace[]): ReadonlySet<LiveItem> {
  const gone = new Set(lost.filter(({ state }) => state !== 'replaced').map(({ saved: { id } }) => id));
  const out = new Set<LiveItem>();
  for (const item of saved.items.get('spaces') ?? []) if (gone.has(item.id)) out.add(item);
  const placed = saved.items.get('site-spaces') ?? [];
  for (const item of placed) if (gone.has(item.natural ?? '')) out.add(item);
  return out;
}

/** Sites that a restore made because a new space comes only with a site. They go once the space has its place. */

/** Whether the journals of this machine have a restore that made a site. */
export function sitesMade(folder: JobFolder, origin: string): (siteId: string) => boolean {
  const made = new Set<unknown>();
  for (const { header, items } of folder.readAll(() => {})) {
    if (header.origin !== origin || header.command !== 'backup restore') continue;
    for (const { change, state, answer } of items)
      if (change.op.id === createSite.id && state === 'ok')
        made.add((answer as { id?: unknown } | undefined)?.id);
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
  const after = [...drafts.keys()];
  return sites.map(({ id, title }) => ({
    ...{ kind: 'sites', key: title, action: 'delete', fields: { title: { before: title } } },
    change: { ...requestFor(deleteSite, { organizationId, siteId: id }), after },
    risk: 'A restore made this site for the empty space. It is not published and has no other space; the space stays.',
  }));
}
