import { allResources, type RestorePart } from '../model/resources.js';
import type { KindName } from '../organization/model.js';

/** The parts that decide who can access what. */
export const ofAccess: readonly RestorePart[] = ['structure', 'members', 'teams'];

/** The part of `--only` that restores items of a kind of the organization as code. */
export const partOf = Object.fromEntries(
  allResources.flatMap(({ printed, restored }) =>
    restored === undefined ? [] : [[printed.files, restored]],
  ),
) as Readonly<Record<KindName, RestorePart>>;

/** What must be read beside the kinds of a part: those that they name or stand in. */
const alsoNeeded: Readonly<Partial<Record<RestorePart, readonly KindName[]>>> = {
  structure: ['sites'],
  fields: ['collections', 'spaces', 'sites'],
  teams: ['people'],
  sites: ['collections', 'spaces'],
  saml: ['teams'],
  settings: ['sites'],
  pages: ['collections', 'spaces', 'sites'],
};

/** What is read, of the backup and of the platform, to restore some parts: kinds, and fields that cost requests. */
export function wantsOf(wanted: ReadonlySet<RestorePart>): (kind: KindName, field?: string) => boolean {
  const also = new Set([...wanted].flatMap((part) => alsoNeeded[part] ?? []));
  return (kind, field) => {
    if (kind === 'spaces' && field === 'fields') return wanted.has('fields');
    if (kind === 'sites' && field !== undefined) return wanted.has('sites');
    return wanted.has(partOf[kind]) || also.has(kind);
  };
}
