import { isObject } from '../base/values.js';
import { roles } from './roles.js';

/**
 * What a request widens: who can see, join or control something. Each operation declares it, by the fields of its body.
 * The meaning of a value is declared here once: for policies, whether it may widen at all; for people, a sentence.
 */

/** Somebody has more rights, readers see more, more people can come in. */
export const exposures = ['role', 'public', 'sign-up'] as const;
export type Exposure = (typeof exposures)[number];

/** What a field of a body widens. */
export interface Widening {
  is: Exposure;
  /** Whether a value widens nothing, whatever is there now; default: null, false and what is empty. */
  isNarrow?(value: unknown): boolean;
  /** The widest that the platform may take where the field is not sent; default: it leaves things as they are. */
  absent?: unknown;
  /** A sentence, where a value is known to widen. @param before undefined where it is unknown */
  tells?(after: unknown, before: unknown, name: string): string | undefined;
}

/** By field of the body; a list: whatever is sent. */
export type Exposes<Field extends string = string> =
  | readonly Exposure[]
  | Readonly<Partial<Record<Field, Widening>>>;

/** From high to low; a guest has none. */
const ranked: readonly unknown[] = [...roles, null];
/** From narrow to wide. */
const audiences: readonly unknown[] = ['visitor-auth', 'share-link', 'unlisted', 'public'];

const never = () => false;

/** Any value but an empty one, without a sentence. */
export const gives = (is: Exposure): Widening => ({ is });

/** Any value, null too: what it is now decides whether that widens. */
export const alters = (is: Exposure, tells?: Widening['tells']): Widening => ({
  is,
  isNarrow: never,
  ...(tells && { tells }),
});

/** A role, `inherit`, or null for none. @param who who gets it */
export const raises = (who: (name: string) => string): Widening => ({
  is: 'role',
  tells(after, before, name) {
    if (after === 'inherit')
      return before === 'inherit' || before === 'admin'
        ? undefined
        : `${who(name)} would get the default level of its parent.`;
    const [from, to] = [before, after].map((role) => ranked.indexOf(role === 'inherit' ? null : role));
    const isHigher = to !== undefined && from !== undefined && to >= 0 && (from < 0 || to < from);
    return isHigher && after !== null ? `${who(name)} would get the role ${String(after)}.` : undefined;
  },
});

/** The same for a single member: one more admin is worth a sentence. */
export const promotes: Widening = {
  is: 'role',
  tells: (after, before, name) =>
    after === 'admin' && before !== 'admin' ? `${name} would control the whole organization.` : undefined,
};

/** Who may read a site. */
export const opens: Widening = {
  is: 'public',
  isNarrow: (value) => value === 'visitor-auth',
  tells(after, before, name) {
    const [from, to] = [before, after].map((one) => audiences.indexOf(one));
    if (to === undefined || to <= 0 || (from !== undefined && from >= to)) return undefined;
    if (after === 'public') return `Anyone could read the site ${name}, and search engines would list it.`;
    const who = after === 'unlisted' ? 'address' : 'link';
    return `Anyone who has the ${who} could read the site ${name}.`;
  },
};

/** An expression that decides which visitors see something. Whether another text shows it to more is not known. */
export const reveals = (what: string): Widening =>
  alters('public', (after, before, name) =>
    after === null && before !== null
      ? `Without a condition, every visitor of the site would see the ${what} ${name}.`
      : undefined,
  );

/** Domains whose people may join. */
export const admits: Widening = {
  is: 'sign-up',
  tells(after, before) {
    const known: unknown[] = Array.isArray(before) ? before : [];
    const added = Array.isArray(after) ? after.filter((one) => !known.includes(one)) : [];
    return added.length === 0 ? undefined : `Anyone with an email at ${added.join(', ')} could join.`;
  },
};

/** A switch that widens in one of its positions. @param within the field that has it, where that is an object */
export const switches = (
  is: Exposure,
  { wide, within, says }: { wide: boolean; within?: string; says?: string },
): Widening => {
  const at = (value: unknown) => (within !== undefined && isObject(value) ? value[within] : value);
  return {
    is,
    isNarrow: (value) => at(value) === !wide,
    tells: (after, before) => (at(after) === wide && at(before) !== wide ? says : undefined),
  };
};

/** What ties sign-in to an identity provider. */
export const trusts: Widening = {
  is: 'sign-up',
  tells: (after, before) =>
    isEmpty(after) || after === before
      ? undefined
      : 'Whoever controls the identity provider would decide who can sign in.',
};

/** A collection that something goes into: what is open to all of it may open to them. */
export const enters = alters('role', (after, before, name) =>
  typeof after === 'string' && after !== before
    ? `Everyone with access to its new collection could get access to ${name}.`
    : undefined,
);

/** The organization that takes something over. */
export const handsOver: Widening = {
  is: 'role',
  tells: (after, before, name) =>
    typeof after === 'string' && after !== before
      ? `The admins of organization ${after} would control ${name}.`
      : undefined,
};

/** Nothing, and lists and objects that have none. */
export function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === false) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
