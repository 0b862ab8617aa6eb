import { getMember } from '../../api/resources/members.js';
import { getOrg, listOrgs } from '../../api/resources/orgs.js';
import { getSite } from '../../api/resources/sites.js';
import { getSpace } from '../../api/resources/spaces.js';
import { meant, roles } from '../../api/shapes.js';
import { Type } from '../../api/type.js';
import { manual } from '../../cli/declare/define.js';
import type { Session } from '../../cli/declare/session.js';
import { isStructured, wantsText } from '../../cli/run/output.js';
import { closed, flag, maybe, oneOf, orNull, text } from '../../output/printed-shapes.js';
import type { Column } from '../../output/printer.js';
import { valueSources } from '../../settings/keys.js';
import type { Settings } from '../../settings/settings.js';
import { memberName } from '../../settings/settings-file.js';
import { contextOf, contextParts, labels, type SignedIn, signedIn, signedInFacts } from './signed-in.js';

const resolved = closed({
  value: orNull(text),
  source: Type.Optional(oneOf(...valueSources)),
  where: maybe,
  title: Type.Optional(Type.String({ description: 'Title of the resource, where it was read' })),
});

const Limit = closed({
  because: oneOf('role', 'policy', 'rehearsal'),
  why: text,
  commands: Type.Array(text, { description: 'The commands that are refused; empty for a rehearsal' }),
});

export const status = manual({
  name: 'status',
  summary: 'Show who you are signed in as and the current context',
  why:
    'Shows the profile, address, organization, space and site with the source of each, and tests the token. On a ' +
    'terminal and with --json also the role, and what it, a policy or a rehearsal keeps you from doing.',
  operations: [listOrgs, getOrg, getSpace, getSite, getMember],
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
    role: Type.Optional(
      orNull(
        meant('role', Type.String({ description: `${roles.join(', ')} or guest; null where it is unknown` })),
      ),
    ),
    roleAtMost: Type.Optional(
      meant(
        'role',
        Type.String({
          description: 'Where the role is unknown, the highest that the permissions of the token leave open',
        }),
      ),
    ),
    mayNot: Type.Optional(
      Type.Array(Limit, {
        description: 'What is refused; rights in single spaces and sites are not looked at',
      }),
    ),
    projectFile: orNull(text),
  }),
  columns: [],
  id: 'profile.value',
  examples: {
    status: 'show the context that the next command will use',
    'status --jq .org.value': 'print the organization alone',
  },
  async run(session, _input, { view, groups }) {
    const { settings } = session;
    await session.printer.check(view);
    const found = await signedIn(session);
    // People get a line each; a program, or --fields, the one object; a pipe the rows, without a further read.
    const isObject = isStructured(session) || settings.fields !== undefined;
    if (!isObject && !wantsText(session)) return printRows(session, found);
    const { identityOf, printStatus } = await import('./identity.js');
    const identity = await identityOf(session, found, groups, !isObject);
    if (!isObject) return printStatus(session, found, identity);
    const { titles, name: _, ...facts } = identity;
    const result = { ...contextOf(settings, titles), ...signedInFacts(found), ...facts };
    return session.printer.one({ ...result, projectFile: settings.projectFile ?? null }, view);
  },
});

async function printRows({ settings, printer, io }: Session, found: SignedIn): Promise<void> {
  const columns: Column[] = [
    { path: 'what', keep: true },
    { path: 'value', whole: true, keep: true },
    { path: 'from' },
  ];
  const view = { columns, fields: columns.map(({ path }) => path), id: 'what' };
  const { token, problem } = found;
  // A sentence would not fit beside the others.
  const apart = io.stdout.isTTY === true && token !== null && problem !== undefined;
  await printer.list(rowsOf(settings, apart ? { ...found, problem: 'does not work' } : found), view);
  if (apart) printer.warn(problem);
}

function rowsOf(settings: Settings, { token, works, problem, member }: SignedIn): Record<string, string>[] {
  const context = contextParts.map((name) => {
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
