import { listOrgs } from '../api/resources/orgs.js';
import { DocsError } from '../errors.js';
import { findCredential } from '../settings/credentials.js';
import type { Resolved, Settings } from '../settings/settings.js';
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
    const fields = [
      ...parts.flatMap((name) => [name, ...['value', 'source', 'where'].map((part) => `${name}.${part}`)]),
    ];
    const whole = { columns: [], fields: [...fields, ...rest], id: 'profile.value' };
    await session.printer.check(whole);
    if (isStructured(session)) return session.printer.one(result, whole);
    const columns = ['what', 'value', 'from'].map((path) => ({ path }));
    const view = { columns, fields: columns.map(({ path }) => path), id: 'what' };
    await session.printer.list(rowsOf(settings, result), view);
  },
});

const rest = ['token', 'works', 'problem', 'organizations', 'projectFile'];

/** Whether a machine reads it: then it is one object; people get a line each. */
function isStructured({ settings, globals }: Session): boolean {
  const asked = globals.jq !== undefined || settings.fields !== undefined;
  return asked || ['json', 'ndjson', 'yaml'].includes(settings.output?.value ?? '');
}

const labels = { profile: 'profile', baseUrl: 'address', org: 'organization', space: 'space', site: 'site' };

function rowsOf(settings: Settings, { token, works, problem }: SignedIn): Record<string, string>[] {
  const context = parts.map((name) => {
    const { value = '-', where = 'nothing sets it' } = settings[name] ?? {};
    return { what: labels[name], value, from: where };
  });
  return [
    ...context,
    { what: 'sign-in', value: works ? 'works' : (problem ?? 'does not work'), from: token ?? '-' },
  ];
}

interface SignedIn {
  token: string | null;
  works: boolean;
  problem?: string;
  organizations?: string[];
}

/** Where the token comes from, and whether the platform takes it. */
async function signedIn(session: Session): Promise<SignedIn> {
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
