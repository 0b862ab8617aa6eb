import { defaultLevelOf, type Levelled, lowerOf, rankOf } from './levels.js';
import type { KnownRole } from './pair.js';
import type { Place, Weighed } from './weigh.js';

/**
 * Why a person has a role in a space or a collection, layer by layer, in order of precedence:
 *
 * 1. the organization role: admin decides everything; any other is the most that default levels give
 * 2. grants, to the person or to a team of theirs, which no operation shows: only their result is told
 * 3. the default level of the space, then of each collection around it: the first that is not `inherit` counts
 * 4. the top of the organization, where everybody has their organization role
 */

export const layerNames = ['organization-role', 'grant', 'space', 'collection', 'organization'] as const;

export interface Layer {
  layer: (typeof layerNames)[number];
  /** Of a space or a collection. */
  id?: string;
  title?: string;
  /** The default level of a space or a collection as it is set: a role, `inherit`, or null for nobody. */
  level?: string | null;
  /** What it gives the person; of the organization role, the most that default levels give. */
  role: KnownRole;
  decides: boolean;
  /** Whether it would count if no other layer came first or gave more. */
  shadowed: boolean;
  /** What it does, as a clause. */
  why: string;
}

/** The layers of an explanation, in order of precedence. */
export function layersOf(weighed: Weighed): Layer[] {
  return [roleLayer(weighed), grantLayer(weighed), ...levelLayers(weighed)];
}

/** Which layer decides: its name, and the id of a space or a collection. None where nothing known explains it. */
function deciderOf({ reason, organizationRole, level }: Weighed): { layer?: Layer['layer']; id?: string } {
  if (reason === 'admin') return { layer: 'organization-role' };
  if (reason === 'granted') return { layer: 'grant' };
  if (reason === 'unknown' || reason === 'unexplained') return {};
  if (organizationRole === null) return { layer: 'organization-role' };
  if (!level.known) return {};
  if (rankOf(organizationRole) < rankOf(level.reaches)) return { layer: 'organization-role' };
  const { object, id } = level.from;
  return { layer: object, ...(id !== undefined && { id }) };
}

function roleLayer(weighed: Weighed): Layer {
  const { organizationRole: role, reason } = weighed;
  const decides = deciderOf(weighed).layer === 'organization-role';
  const shadowed = reason === 'granted' && role !== null;
  return { layer: 'organization-role', role, decides, shadowed, why: roleWords(weighed, decides) };
}

function roleWords({ organizationRole: role, reason }: Weighed, decides: boolean): string {
  if (role === null) return 'a guest gets nothing from default levels, only from grants';
  if (role === 'admin')
    return decides
      ? 'an admin of the organization has admin everywhere'
      : 'an admin of the organization has admin everywhere, but the platform tells otherwise';
  if (decides) return 'the default level allows more; nobody gets more by it than their organization role';
  return reason === 'granted' ? 'limits default levels, not grants' : 'the most that a default level gives';
}

function grantLayer(weighed: Weighed): Layer {
  const decides = weighed.reason === 'granted';
  return { layer: 'grant', role: grantOf(weighed), decides, shadowed: false, why: grantWords(weighed) };
}

/** A grant that changes nothing cannot be seen; where nobody has access, there is none. */
function grantOf({ reason, role, place }: Weighed): KnownRole {
  if (reason === 'granted') return role;
  return reason === 'none' && place.object === 'space' ? null : 'unknown';
}

function grantWords(weighed: Weighed): string {
  const { reason, role, place, organizationRole } = weighed;
  if (organizationRole === 'admin' && reason === 'admin') return 'could not give more';
  if (place.object === 'collection') return 'no operation tells of grants in a collection; one may give more';
  if (reason === 'granted') return `more than default levels give; granted ${grantedTo(weighed)}`;
  if (reason === 'none') return 'there is none, or they would have a role';
  if (reason === 'default') return `one of ${role} or less would change nothing and does not show`;
  if (role === 'unknown') return 'not known, as the role could not be read';
  return 'no operation tells of grants, only of the role that results';
}

/** To whom a grant is: `to them or to one of their teams: Writers, Editors`. */
export function grantedTo({ teams }: Pick<Weighed, 'teams'>): string {
  if (teams === undefined) return 'to them or to a team of theirs; their teams could not be read';
  if (teams.length === 0) return 'to them directly, as they are in no team';
  const titles = teams.map(({ title }) => title).join(', ');
  const one = teams.length === 1 ? 'to their team' : 'to one of their teams';
  return `to them or ${one} (${titles}); the platform does not tell which`;
}

/** The default levels from the place outwards, as far as the collections around it could be read. */
function levelLayers(weighed: Weighed): Layer[] {
  const { place, collections, organizationRole } = weighed;
  const layers: Layer[] = [];
  const seen = new Set<string>();
  let isOutside = false;
  let now: Place | undefined = place;
  while (now !== undefined) {
    layers.push(levelLayer(weighed, now, isOutside));
    isOutside ||= isFrom(weighed, now.id);
    const { parent } = now as Place;
    if (parent === undefined) return [...layers, topLayer(weighed, isOutside)];
    const next: Levelled | undefined = seen.has(parent) ? undefined : collections.get(parent);
    if (next === undefined) layers.push(unreadLayer(parent, organizationRole === null));
    seen.add(parent);
    now = next && { ...next, object: 'collection' };
  }
  return layers;
}

function isFrom({ level }: Weighed, id: string): boolean {
  return level.known && level.from.id === id;
}

/** @param isOutside whether a level further inside counts */
function levelLayer(weighed: Weighed, place: Place, isOutside: boolean): Layer {
  const { organizationRole, reason, collections } = weighed;
  const { object, id, title, defaultLevel } = place;
  const reach = defaultLevelOf(place, collections);
  const isGuest = organizationRole === null;
  const role = isGuest ? null : reach.known ? lowerOf(organizationRole, reach.reaches) : 'unknown';
  const decider = deciderOf(weighed);
  const decides = decider.layer === object && decider.id === id;
  const shadowed = !isGuest && (isOutside || ['admin', 'granted'].includes(reason));
  const why = levelWords(weighed, place, { isOutside, decides });
  return { layer: object, id, title, level: defaultLevel, role, decides, shadowed, why };
}

function levelWords(
  weighed: Weighed,
  { object, id, defaultLevel, visibility }: Place,
  { isOutside, decides }: { isOutside: boolean; decides: boolean },
): string {
  const { reason, organizationRole } = weighed;
  if (organizationRole === null) return 'gives guests nothing';
  if (isOutside) return 'a level further inside counts';
  if (reason === 'admin') return 'admins need no level';
  const own = ownWords(object, defaultLevel, visibility);
  if (reason === 'granted') return `${own}; the grant gives more`;
  return decides || !isFrom(weighed, id) || reason !== 'default'
    ? own
    : `${own}, limited by the organization role`;
}

function ownWords(object: Place['object'], level: string | null, visibility: string | undefined): string {
  if (level === null) return 'its default level gives nobody access';
  if (level !== 'inherit') return `its default level is ${level}`;
  return object === 'space' && visibility === 'private'
    ? 'private: inherits nothing'
    : 'inherits what is around it';
}

function topLayer({ organizationRole, reason }: Weighed, isOutside: boolean): Layer {
  const shadowed = organizationRole !== null && (isOutside || ['admin', 'granted'].includes(reason));
  const why = organizationRole === null ? 'gives guests nothing' : 'gives the organization role';
  return { layer: 'organization', role: organizationRole, decides: false, shadowed, why };
}

function unreadLayer(id: string, isGuest: boolean): Layer {
  const why = 'could not be read';
  return { layer: 'collection', id, role: isGuest ? null : 'unknown', decides: false, shadowed: false, why };
}
