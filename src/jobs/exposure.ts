import type { LooseInput } from '../api/client.js';
import type { AnyOperation } from '../api/operation.js';
import { roles } from '../api/shapes.js';
import { isObject } from '../base/values.js';
import type { State } from './state.js';

/**
 * What widens who can see, join or control something: sentences, from what a request asks for. Single changes, bulk,
 * raw requests, plans, the organization as code and undo all tell these.
 */

/** A field of a body that may widen exposure. @param before undefined where it is unknown */
type Widens = (after: unknown, before: unknown, name: string) => string | undefined;

/** From high to low; a guest has none. */
const ranked: readonly unknown[] = [...roles, null];
/** From narrow to wide. */
const audiences: readonly unknown[] = ['visitor-auth', 'share-link', 'unlisted', 'public'];

const raised =
  (who: (name: string) => string): Widens =>
  (after, before, name) => {
    const [from, to] = [before, after].map((role) => ranked.indexOf(role === 'inherit' ? null : role));
    const isHigher = to !== undefined && from !== undefined && to >= 0 && (from < 0 || to < from);
    return isHigher && after !== null && after !== 'inherit'
      ? `${who(name)} would get the role ${String(after)}.`
      : undefined;
  };

const visibility: Widens = (after, before, name) => {
  const [from, to] = [before, after].map((one) => audiences.indexOf(one));
  if (to === undefined || to <= 0 || (from !== undefined && from >= to)) return undefined;
  if (after === 'public') return `Anyone could read the site ${name}, and search engines would list it.`;
  const who = after === 'unlisted' ? 'address' : 'link';
  return `Anyone who has the ${who} could read the site ${name}.`;
};

const unconditional =
  (what: string): Widens =>
  (after, before, name) =>
    after === null && before !== null
      ? `Without a condition, every visitor of the site would see the ${what} ${name}.`
      : undefined;

const joinedBy: Widens = (after, before) => {
  const known: unknown[] = Array.isArray(before) ? before : [];
  const added = Array.isArray(after) ? after.filter((one) => !known.includes(one)) : [];
  return added.length === 0 ? undefined : `Anyone with an email at ${added.join(', ')} could join.`;
};

const becomes =
  (value: boolean, sentence: string): Widens =>
  (after, before) =>
    after === value && before !== value ? sentence : undefined;

/** What is widened: somebody has more rights, readers see more, more people can come in. */
export const exposures = ['role', 'public', 'sign-up'] as const;
export type Exposure = (typeof exposures)[number];

/** What a field of a body widens, and the sentence about it; without one, any value but null and false widens. */
type Widening = readonly [is: Exposure, widens?: Widens];

const newByProvider: Record<string, Widening> = {
  defaultRole: ['role', raised((name) => `New members by ${name}`)],
  defaultTeam: ['role'],
};
const everyone: Record<string, Widening> = {
  defaultLevel: ['role', raised((name) => `Everyone in ${name}`)],
};

/** By id of the operation and field of its body. */
const widening: Readonly<Record<string, Readonly<Record<string, Widening>>>> = {
  'members.update': {
    role: [
      'role',
      (after, before, name) =>
        after === 'admin' && before !== 'admin' ? `${name} would control the whole organization.` : undefined,
    ],
  },
  'invites.update': { role: ['role', raised((name) => `Whoever joins by the invite ${name}`)] },
  'saml.create': newByProvider,
  'saml.update': newByProvider,
  'orgs.update': {
    defaultRole: ['role', raised(() => 'New members')],
    inviteLinks: ['sign-up', becomes(true, 'Anyone who has an invite link could join the organization.')],
    sso: ['sign-up', becomes(false, 'Members could sign in without SSO.')],
    emailDomains: ['sign-up', joinedBy],
  },
  'collections.update': everyone,
  'spaces.update': everyone,
  'sites.create': { visibility: ['public'] },
  'sites.update': { visibility: ['public', visibility] },
  'sections.create': { spaceId: ['public'] },
  'sections.update': { condition: ['public', unconditional('section')] },
  'site-spaces.create': { spaceId: ['public'] },
  'site-spaces.update': { condition: ['public', unconditional('site space')] },
  // Who is in a team has its access.
  'teams.create': { members: ['role'] },
  'team-members.set': { role: ['role'] },
  'team-members.update': { add: ['role'], memberships: ['role'] },
};

/** A request that may widen exposure. */
interface Exposing {
  op: AnyOperation;
  input: LooseInput;
  /** What people call what it is about. */
  name: string;
  /** The fields of the body as they are before; undefined where that is unknown. */
  before?: State | undefined;
}

/** What a request would expose; nothing where it exposes nothing new. */
export function exposuresOf({ op, input, name, before }: Exposing): string[] {
  return fieldsIn({ op, input }).flatMap(([field, value, [, widens]]) => {
    const former = before && Object.hasOwn(before, field) ? (before[field] ?? null) : undefined;
    return widens?.(value, former, name) ?? [];
  });
}

/** What a request would widen at most, whatever is there now: what a policy asks about. */
export function widenedBy(request: Pick<Exposing, 'op' | 'input'>): Exposure[] {
  const found = fieldsIn(request).flatMap(([, value, [is, widens]]) => {
    const isAny = (is === 'role' || widens === undefined) && !isNothing(value);
    return isAny || widens?.(value, undefined, '') !== undefined ? [is] : [];
  });
  return [...new Set(found)];
}

/** What no field widens by: no role, no list, and a site that asks each visitor who they are. */
function isNothing(value: unknown): boolean {
  return (
    value === null || value === false || value === 'inherit' || value === 'visitor-auth' || isEmpty(value)
  );
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function fieldsIn({ op, input: { body } }: Pick<Exposing, 'op' | 'input'>): [string, unknown, Widening][] {
  const fields = widening[op.id];
  if (fields === undefined || !isObject(body)) return [];
  return Object.entries(fields).flatMap(([field, widens]) =>
    Object.hasOwn(body, field) ? [[field, body[field], widens] satisfies [string, unknown, Widening]] : [],
  );
}
