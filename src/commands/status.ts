import { listOrgs } from '../api/resources/orgs.js';
import { Type } from '../api/type.js';
import { manual } from '../cli/declare/define.js';
import type { Session } from '../cli/declare/session.js';
import { isStructured } from '../cli/run/output-flags.js';
import { defined } from '../defined.js';
import { DocsError } from '../errors.js';
import { closed, flag, maybe, oneOf, orNull, text } from '../output/printed-shapes.js';
import type { Column } from '../output/printer.js';
import { findCredential } from '../settings/credentials.js';
import { valueSources } from '../settings/keys.js';
import type { Settings } from '../settings/settings.js';
import { memberName, type StoredMember } from '../settings/settings-file.js';

const parts = ['profile', 'baseUrl', 'org', 'space', 'site'] as const;

const resolved = closed({ value: orNull(text), source: Type.Optional(oneOf(...valueSources)), where: maybe });

export const status = manual({
  name: 'status',
  summary: 'Show who you are signed in as and the current context',
  why: 'Shows the profile, address, organization, space and site with the source of each, and tests the token.',
  operations: [listOrgs],
  returns: closed({
    profile: resolved,
    baseUrl: resolved,
    org: resolved,
    space: resolved,
    site: resolved,
    token: orNull(Type.String({ description: 'Where the token comes from' })),
    works: flag,
    problem: maybe,
    member: Type.Optional(closed({ id: text, email: maybe })),
    organizations: Type.Optional(Type.Array(text)),
    projectFile: orNull(text),
  }),
  columns: [],
  id: 'profile.value',
  examples: {
    status: 'show the context that the next command will use',
    'status --jq .org.value': 'print the organization alone',
  },
  async run(session, _, { view: whole }) {
    const { settings } = session;
    const context = Object.fromEntries(parts.map((name) => [name, { value: null, ...settings[name] }]));
    const result = { ...context, ...(await signedIn(session)), projectFile: settings.projectFile ?? null };
    await session.printer.check(whole);
    // People get a line each; a program, or --fields, the one object.
    if (isStructured(session) || settings.fields !== undefined) return session.printer.one(result, whole);
    const columns: Column[] = [
      { path: 'what', keep: true },
      { path: 'value', whole: true, keep: true },
      { path: 'from' },
    ];
    const view = { columns, fields: columns.map(({ path }) => path), id: 'what' };
    const { token, problem } = result;
    // A sentence would not fit beside the others.
    const apart = session.io.stdout.isTTY === true && token !== null && problem !== undefined;
    const shown = apart ? { ...result, problem: 'does not work' } : result;
    await session.printer.list(rowsOf(settings, shown), view);
    if (apart) session.printer.warn(problem);
  },
});

const labels = { profile: 'profile', baseUrl: 'address', org: 'organization', space: 'space', site: 'site' };

function rowsOf(settings: Settings, { token, works, problem, member }: SignedIn): Record<string, string>[] {
  const context = parts.map((name) => {
    const { value = '-', where = 'not set' } = settings[name] ?? {};
    return { what: labels[name], value, from: where };
  });
  const who = member === undefined ? 'unknown' : memberName(member);
  return [
    ...context,
    { what: 'sign-in', value: works ? 'works' : (problem ?? 'does not work'), from: token ?? '-' },
    ...(token === null ? [] : [{ what: 'member', value: who, from: member === undefined ? '-' : 'sign-in' }]),
  ];
}

interface SignedIn {
  token: string | null;
  works: boolean;
  problem?: string;
  /** Whose token it is, where sign-in found that out. */
  member?: StoredMember;
  organizations?: string[];
}

/** Where the token comes from, and whether the platform takes it. */
async function signedIn(session: Session): Promise<SignedIn> {
  const credential = await findCredential(session.io, session.settings);
  const token = session.settings.sandbox ? (credential?.where ?? 'sandbox') : (credential?.where ?? null);
  if (token === null) return { token, works: false, problem: 'not signed in' };
  const who = defined({ member: credential?.member });
  try {
    const client = await session.client();
    const titles: string[] = [];
    for await (const org of client.call(listOrgs, {}, { most: 20 })) titles.push(`${org.title} (${org.id})`);
    return { token, works: true, ...who, organizations: titles };
  } catch (cause) {
    if (!(cause instanceof DocsError)) throw cause;
    return { token, works: false, problem: cause.message, ...who };
  }
}
