import { listOrgs, type Organization } from '../../api/resources/orgs.js';
import { DocsError } from '../../base/errors.js';
import { defined } from '../../base/values.js';
import type { Session } from '../../cli/declare/session.js';
import { findCredential } from '../../settings/credentials.js';
import type { Settings } from '../../settings/settings.js';
import type { StoredMember } from '../../settings/settings-file.js';

export interface SignedIn {
  token: string | null;
  works: boolean;
  problem?: string;
  /** Whose token it is, where sign-in found that out. */
  member?: StoredMember;
  /** Those that the token can see, at most 20. */
  organizations?: Organization[];
}

/** Where the token comes from, and whether the platform takes it. */
export async function signedIn(session: Session): Promise<SignedIn> {
  const credential = await findCredential(session.io, session.settings);
  const token = session.settings.sandbox ? (credential?.where ?? 'sandbox') : (credential?.where ?? null);
  if (token === null) return { token, works: false, problem: 'not signed in' };
  const who = defined({ member: credential?.member });
  try {
    const client = await session.client();
    const organizations: Organization[] = [];
    for await (const org of client.call(listOrgs, {}, { most: 20 })) organizations.push(org);
    return { token, works: true, ...who, organizations };
  } catch (cause) {
    if (!(cause instanceof DocsError)) throw cause;
    return { token, works: false, problem: cause.message, ...who };
  }
}

/** As `--json` has it. */
export function signedInFacts({ organizations, ...facts }: SignedIn): Record<string, unknown> {
  if (organizations === undefined) return facts;
  return { ...facts, organizations: organizations.map(({ title, id }) => `${title} (${id})`) };
}

/** The parts of the context, and what people call them. */

export const contextParts = ['profile', 'baseUrl', 'org', 'space', 'site'] as const;
type ContextPart = (typeof contextParts)[number];

export const labels: Readonly<Record<ContextPart, string>> = {
  profile: 'profile',
  baseUrl: 'address',
  org: 'organization',
  space: 'space',
  site: 'site',
};

/** Titles of what the context names by id, where they were read. */
export type Titles = Partial<Record<ContextPart, string>>;

export function contextOf(settings: Settings, titles: Titles): Record<string, unknown> {
  return Object.fromEntries(
    contextParts.map((name) => {
      const title = titles[name];
      return [name, { value: null, ...settings[name], ...(title !== undefined && { title }) }];
    }),
  );
}
