import type { AnyOperation } from '../api/operation.js';
import {
  createChangeRequest,
  importChangeRequestContent,
  listChangeRequests,
  updateChangeRequest,
} from '../api/resources/change-requests.js';
import { getContent } from '../api/resources/content.js';
import { getSpace, restoreSpace } from '../api/resources/spaces.js';
import { allResources, type RestorePart } from '../model/resources.js';
import type { KindName } from '../organization/model.js';

/** What a restore reads and sends beside what it does as the organization as code: spaces in the trash, and content. */
export const restoreOperations: readonly AnyOperation[] = [
  ...[getSpace, restoreSpace, getContent, listChangeRequests],
  ...[createChangeRequest, importChangeRequestContent, updateChangeRequest],
];

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
