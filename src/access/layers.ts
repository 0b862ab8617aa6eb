import type { Member } from '../api/resources/members.js';
import type { Role } from '../api/shapes.js';
import {
  type DefaultLevel,
  defaultLevelOf,
  type Levelled,
  lowerOf,
  type Reason,
  rankOf,
  reasonOf,
  roleByLevels,
} from './levels.js';
import type { KnownRole, Layer, ResourceRef } from './person.js';

/** A space or a collection, with what access to it depends on. */
export type LevelledResource = Levelled & { object: 'space' | 'collection'; visibility?: string };

export interface Question {
  /** Role in the organization; null for a guest. */
  organizationRole: Role | null;
  place: LevelledResource;
  /** By id: those around the place, as far as they could be read. */
  collections: ReadonlyMap<string, Levelled>;
  /** The effective role, as the platform tells it; undefined of a collection, where no operation tells it. */
  role: KnownRole | undefined;
  /** All teams of the person; undefined where they could not be read. */
  teams?: readonly ResourceRef[] | undefined;
}

/** A question with what follows from it. */
export interface Weighed extends Omit<Question, 'role'> {
  /** Of a collection, what organization role and levels give. */
  role: KnownRole;
  /** Whether grants may give more, as in collections, where no operation tells of them. */
  atLeast: boolean;
  reason: Reason;
  level: DefaultLevel;
  /** What organization role and levels give; undefined where the level is not known. */
  byLevels: Role | null | undefined;
}

/** The role of a person in a space or a collection, and the reason for it. */
export function weigh({ role: told, ...question }: Question): Weighed {
  const { organizationRole, place, collections } = question;
  const level = defaultLevelOf(place, collections);
  const byLevels = roleByLevels(organizationRole, level);
  const role = told === undefined ? (byLevels === undefined ? 'unknown' : byLevels) : told;
  const reason = reasonOf(role, { organizationRole, byLevels });
  const atLeast = told === undefined && organizationRole !== 'admin';
  return { ...question, role, atLeast, reason, level, byLevels };
}

/**
 * Why a person has a role in a space or a collection, layer by layer, in order of precedence:
 *
 * 1. the organization role: admin decides everything; any other is the most that default levels give
 * 2. grants, to the person or to a team of theirs, which no operation shows: only their result can be read
 * 3. the default level of the space, then of each collection around it: the first that is not `inherit` counts
 * 4. the top of the organization, where everyone has their organization role
 */

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
  if (role === null) return 'guests get access from grants alone';
  if (role === 'admin')
    return decides
      ? 'admins have admin everywhere'
      : 'admins have admin everywhere, but the platform reports less';
  if (decides) return 'caps the default level, which allows more';
  return reason === 'granted' ? 'caps default levels; shadowed by the grant' : 'caps default levels';
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
  if (organizationRole === 'admin' && reason === 'admin') return 'cannot give more';
  if (place.object === 'collection') return 'the platform does not list them; one may give more';
  if (reason === 'granted') return toWhom(weighed);
  if (reason === 'none') return 'nothing is granted';
  if (reason === 'default') return `a grant of ${role} or less would not show`;
  if (role === 'unknown') return 'the role could not be read';
  return 'the platform does not list them';
}

/** To whom a grant is. */
function toWhom({ teams }: Weighed): string {
  if (teams === undefined) return 'to them or to a team of theirs';
  if (teams.length === 0) return 'to them directly, since they are in no team';
  return teams.length === 1 ? 'to them or to their team' : `to them or to one of their ${teams.length} teams`;
}

/** The default levels from the place outwards, as far as the collections around it could be read. */
function levelLayers(weighed: Weighed): Layer[] {
  const { place, collections, organizationRole } = weighed;
  const layers: Layer[] = [];
  const seen = new Set<string>();
  let isOutside = false;
  let now: LevelledResource | undefined = place;
  while (now !== undefined) {
    layers.push(levelLayer(weighed, now, isOutside));
    isOutside ||= isFrom(weighed, now.id);
    const { parent } = now as LevelledResource;
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
function levelLayer(weighed: Weighed, place: LevelledResource, isOutside: boolean): Layer {
  const { organizationRole, reason, collections } = weighed;
  const { object, id, title, defaultLevel } = place;
  const reach = defaultLevelOf(place, collections);
  const isGuest = organizationRole === null;
  const role = isGuest ? null : reach.known ? lowerOf(organizationRole, reach.reaches) : 'unknown';
  const decider = deciderOf(weighed);
  const decides = decider.layer === object && decider.id === id;
  const shadowed = !isGuest && (isOutside || ['admin', 'granted'].includes(reason));
  const why = shadowed ? shadowedWords(weighed, place, isOutside) : levelWords(weighed, place, decides);
  return { layer: object, id, title, level: defaultLevel, role, decides, shadowed, why };
}

function levelWords(weighed: Weighed, place: LevelledResource, decides: boolean): string {
  const { reason, organizationRole } = weighed;
  if (organizationRole === null) return 'does not apply to guests';
  const own = ownWords(place);
  const isCapped = !decides && reason === 'default' && isFrom(weighed, place.id);
  return isCapped ? `${own}, capped by the organization role` : own;
}

/** What comes first or gives more: `shadowed by collection Internal`. */
function shadowedWords(
  { reason, level }: Weighed,
  place: LevelledResource | undefined,
  isOutside: boolean,
): string {
  if (reason === 'admin') return 'shadowed by the organization role';
  if (isOutside && level.known) return `shadowed by ${level.from.object} ${level.from.title ?? ''}`.trimEnd();
  return place === undefined ? 'shadowed by the grant' : `${ownWords(place)}; shadowed by the grant`;
}

function ownWords({ object, defaultLevel, visibility }: LevelledResource): string {
  if (defaultLevel === null) return 'default level none: gives no access';
  if (defaultLevel !== 'inherit') return `default level ${defaultLevel}`;
  return object === 'space' && visibility === 'private' ? 'a private space inherits nothing' : 'inherits';
}

function topLayer(weighed: Weighed, isOutside: boolean): Layer {
  const { organizationRole, reason } = weighed;
  const isGuest = organizationRole === null;
  const shadowed = !isGuest && (isOutside || ['admin', 'granted'].includes(reason));
  const own = isGuest ? 'does not apply to guests' : 'everyone has their organization role';
  const why = shadowed ? shadowedWords(weighed, undefined, isOutside) : own;
  return { layer: 'organization', role: organizationRole, decides: false, shadowed, why };
}

function unreadLayer(id: string, isGuest: boolean): Layer {
  const why = 'could not be read';
  return { layer: 'collection', id, role: isGuest ? null : 'unknown', decides: false, shadowed: false, why };
}

/** Why a role is what it is, as sentences. Titles in them are the platform's text. */

export function whyWords(weighed: Weighed): string {
  const { reason, place } = weighed;
  const words: Record<Weighed['reason'], () => string> = {
    admin: () => 'An admin of the organization has admin everywhere.',
    default: () => `Organization role and default levels explain it: ${decidingWords(weighed)}.`,
    granted: () => `Granted ${grantedTo(weighed)}. Default levels alone give ${givenWords(weighed)}.`,
    none: () => `No access: ${decidingWords(weighed)}.`,
    unexplained: () =>
      `Organization role and default levels would give ${givenWords(weighed)}, but the platform reports less and does not say why.`,
    unknown: () => unknownWords(weighed),
  };
  const least =
    place.object === 'collection' && weighed.atLeast
      ? ' Grants may give more: the platform does not list them for collections.'
      : '';
  return words[reason]() + least;
}

/** To whom a grant is: `to them or to one of their teams (Writers, Editors)`. */
function grantedTo({ teams }: Weighed): string {
  if (teams === undefined) return 'to them or to a team of theirs; their teams could not be read';
  if (teams.length === 0) return 'to them directly, since they are in no team';
  const titles = teams.map(({ title }) => title).join(', ');
  const one = teams.length === 1 ? 'to their team' : 'to one of their teams';
  return `to them or ${one} (${titles}); the platform does not show which`;
}

function givenWords({ byLevels }: Weighed): string {
  return byLevels ?? 'nothing';
}

/** What the layer that decides does: `the default level of Handbook is read`. */
function decidingWords(weighed: Weighed): string {
  const layer = layersOf(weighed).find(({ decides }) => decides);
  if (layer === undefined) return 'the default level is not known';
  const { title, level, role, why } = layer;
  if (layer.layer === 'organization-role')
    return role === null ? why : `the organization role is ${role}, and the default level allows it`;
  const is =
    level === 'inherit' ? 'is private and inherits nothing' : `has the default level ${level ?? 'none'}`;
  return `the ${layer.layer} ${title} ${is}`;
}

function unknownWords({ role, level, place }: Weighed): string {
  if (role === 'unknown' && place.object === 'space') return 'The role could not be read.';
  const missing = level.known ? '' : level.missing;
  const what =
    missing === place.id
      ? `the ${place.object} has the default level ${JSON.stringify(place.defaultLevel)}, which is not known`
      : `the level of collection ${missing} could not be read`;
  return `The source of the role is unknown: ${what}.`;
}

/** What a role is on a site. */
export function siteWords(role: Role | null): string {
  if (role === null)
    return 'A guest has no role in the organization; the platform does not show the role of guests on a site.';
  return 'On a site the organization role decides; sites have no levels of their own.';
}

export function disabledWords({ disabled }: Pick<Member, 'disabled'>): string {
  return disabled ? 'The member is disabled; the platform still lists this role.' : '';
}
