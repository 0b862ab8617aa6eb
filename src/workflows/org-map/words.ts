import { counted, grouped } from '../../output/text.js';
import type { MapRow } from './nodes.js';

/** What a person reads of a node beside its title and its age. */

export function factWords(row: MapRow): string[] {
  const { visibility, published, spaces, members, pages, openChangeRequests = 0, state } = row;
  return [
    ...placeWords(row),
    ...(visibility === undefined ? [] : [visibility]),
    ...(published === false ? ['not published'] : []),
    ...totalWords(row),
    ...(members === undefined ? [] : [counted(members, 'person', 'people')]),
    ...(spaces === undefined ? [] : [counted(spaces, 'space')]),
    ...(pages === undefined ? [] : [counted(pages, 'page')]),
    ...(openChangeRequests > 0 ? [`${grouped(openChangeRequests)} open`] : []),
    ...(state === undefined ? [] : [state]),
  ];
}

/** Where on a site it is found. */
export function placeWords({ path, default: isDefault }: Pick<MapRow, 'path' | 'default'>): string[] {
  return [...(path === undefined ? [] : [`/${path}`]), ...(isDefault === true ? ['default'] : [])];
}

function totalWords({ total, unread }: MapRow): string[] {
  if (total === undefined) return [];
  return [unread === true ? `at least ${grouped(total)}` : grouped(total)];
}
