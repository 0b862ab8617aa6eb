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

const newByProvider = { defaultRole: raised((name) => `New members by ${name}`) };
const everyone = { defaultLevel: raised((name) => `Everyone in ${name}`) };

/** By id of the operation and field of its body. */
const widening: Readonly<Record<string, Readonly<Record<string, Widens>>>> = {
  'members.update': {
    role: (after, before, name) =>
      after === 'admin' && before !== 'admin' ? `${name} would control the whole organization.` : undefined,
  },
  'invites.update': { role: raised((name) => `Whoever joins by the invite ${name}`) },
  'saml.create': newByProvider,
  'saml.update': newByProvider,
  'orgs.update': {
    defaultRole: raised(() => 'New members'),
    inviteLinks: becomes(true, 'Anyone who has an invite link could join the organization.'),
    sso: becomes(false, 'Members could sign in without SSO.'),
    emailDomains: joinedBy,
  },
  'collections.update': everyone,
  'spaces.update': everyone,
  'sites.update': { visibility },
  'sections.update': { condition: unconditional('section') },
  'site-spaces.update': { condition: unconditional('site space') },
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
  const fields = widening[op.id];
  const { body } = input;
  if (fields === undefined || !isObject(body)) return [];
  return Object.entries(fields).flatMap(([field, widens]) => {
    if (!(field in body)) return [];
    const former = before && field in before ? (before[field] ?? null) : undefined;
    return widens(body[field], former, name) ?? [];
  });
}
