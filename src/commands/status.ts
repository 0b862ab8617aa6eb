import { listOrgs } from '../api/resources/orgs.js';
import { DocsError } from '../errors.js';
import { findCredential } from '../settings/credentials.js';
import type { Resolved } from '../settings/settings.js';
import { manual } from './define.js';
import type { Session } from './session.js';

/** `docs status`: who, where, what context, and where each comes from. */

const parts = ['profile', 'baseUrl', 'org', 'space', 'site'] as const;

interface Shown {
  value: string | null;
  source?: string;
  where?: string;
}

function shown(resolved: Resolved<string> | undefined): Shown {
  return resolved === undefined ? { value: null } : { ...resolved };
}

export const status = manual({
  name: 'status',
  summary: 'Who you are, where, and in what context',
  why: 'Shows profile, address, organization, space and site, each with where it comes from, and tries the token.',
  operations: [listOrgs],
  examples: [
    { run: 'status', does: 'what the next command will work on' },
    { run: 'status --jq .org.value', does: 'the organization alone' },
  ],
  async run(session) {
    const { settings } = session;
    const context = Object.fromEntries(parts.map((name) => [name, shown(settings[name])]));
    const result = { ...context, ...(await signedIn(session)), projectFile: settings.projectFile ?? null };
    const columns = [
      ...parts.flatMap((name) => [
        { path: `${name}.value`, label: name },
        { path: `${name}.where`, label: 'from' },
      ]),
      { path: 'token' },
      { path: 'works' },
    ];
    const fields = [
      ...parts.flatMap((name) => [name, ...['value', 'source', 'where'].map((part) => `${name}.${part}`)]),
    ];
    const view = {
      columns,
      fields: [...fields, 'token', 'works', 'problem', 'organizations', 'projectFile'],
      id: 'profile.value',
    };
    await session.printer.check(view);
    await session.printer.one(result, view);
  },
});

/** Where the token comes from, and whether the platform takes it. */
async function signedIn(session: Session): Promise<Record<string, unknown>> {
  const credential = await findCredential(session.io, session.settings);
  const token = session.settings.sandbox ? (credential?.where ?? 'sandbox') : (credential?.where ?? null);
  if (token === null) return { token, works: false, problem: 'not signed in' };
  try {
    const client = await session.client();
    const titles: string[] = [];
    for await (const org of client.call(listOrgs, {}, { most: 20 })) titles.push(`${org.title} (${org.id})`);
    return { token, works: true, organizations: titles };
  } catch (cause) {
    if (!(cause instanceof DocsError)) throw cause;
    return { token, works: false, problem: cause.message };
  }
}
