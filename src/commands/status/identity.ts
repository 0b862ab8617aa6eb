import type { Client } from '../../api/client.js';
import { getMember, type Member } from '../../api/resources/members.js';
import { getOrg, type Organization } from '../../api/resources/orgs.js';
import { getSite } from '../../api/resources/sites.js';
import { getSpace } from '../../api/resources/spaces.js';
import { DocsError } from '../../base/errors.js';
import { defined } from '../../base/values.js';
import type { GroupEntry } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { patience } from '../../cli/run/patience.js';
import { checkedClient } from '../../snapshot/checked-client.js';
import { lateError, limitedClient } from '../../snapshot/tasks.js';
import type { Titles } from './context.js';
import { atMostOf, type Limit, limitsOf, type OwnRole, roleOf } from './limits.js';
import type { SignedIn } from './signed-in.js';

/** What `docs status` tells beyond the settings: titles, the person, their role, and what they may not do. */

export interface Identity {
  titles: Titles;
  /** Of the member whose token it is. */
  name?: string;
  role: OwnRole | null;
  /** The highest role that is possible, where the role is unknown. */
  roleAtMost?: OwnRole;
  mayNot: Limit[];
}

/** For how long the answers to these reads may be waited for. */
const patienceMs = 2000;

/**
 * Reads for a person the titles of the context, one read each and all at once; for a program the member at most, where
 * the permissions of the token do not tell the role. What cannot be read in time is left out.
 */
export async function identityOf(
  session: Session,
  found: SignedIn,
  groups: readonly GroupEntry[],
  isPerson: boolean,
): Promise<Identity> {
  const { org, space, site, member } = await inTime(session, found, isPerson);
  const role = (member === undefined ? roleOf(org?.permissions) : (member.role ?? 'guest')) ?? null;
  const roleAtMost = role === null ? atMostOf(org?.permissions) : undefined;
  return {
    titles: defined({ org: org?.title, space: space?.title, site: site?.title }),
    ...defined({ name: member?.user.displayName, roleAtMost }),
    role,
    mayNot: await limitsOf(session, { role, roleAtMost }, groups),
  };
}

interface Read {
  org?: Organization;
  space?: { title: string };
  site?: { title: string };
  member?: Member;
}

async function inTime(session: Session, found: SignedIn, isPerson: boolean): Promise<Read> {
  if (!found.works) return {};
  const until = patience(patienceMs, lateError());
  const client = checkedClient(limitedClient(await session.client(), { until }));
  return await read(session, client, found, isPerson);
}

async function read(
  { settings, io }: Session,
  client: Client,
  { organizations = [], member: stored }: SignedIn,
  isPerson: boolean,
): Promise<Read> {
  const [organizationId, spaceId, siteId] = [
    settings.org?.value,
    settings.space?.value,
    settings.site?.value,
  ];
  const listed = organizations.find(({ id }) => id === organizationId);
  if (organizationId === undefined) return {};
  const asksMember = stored !== undefined && (isPerson || roleOf(listed?.permissions) === undefined);
  const found = async <T>(isAsked: boolean, call: () => Promise<T>): Promise<T | undefined> => {
    if (!isAsked) return undefined;
    try {
      return await call();
    } catch (cause) {
      if (!(cause instanceof DocsError) || io.signal.aborted) throw cause;
      return undefined;
    }
  };
  const path = { organizationId };
  const [org, space, site, member] = await Promise.all([
    found(listed === undefined && isPerson, () => client.call(getOrg, { path })),
    found(isPerson && spaceId !== undefined, () =>
      client.call(getSpace, { path: { spaceId: spaceId ?? '' } }),
    ),
    found(isPerson && siteId !== undefined, () =>
      client.call(getSite, { path: { ...path, siteId: siteId ?? '' } }),
    ),
    found(asksMember, () => client.call(getMember, { path: { ...path, userId: stored?.id ?? '' } })),
  ]);
  return defined({ org: listed ?? org, space, site, member });
}
