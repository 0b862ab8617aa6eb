import { getMember } from '../../api/resources/members.js';
import { getOrg, listOrgs } from '../../api/resources/orgs.js';
import { getSite } from '../../api/resources/sites.js';
import { getSpace } from '../../api/resources/spaces.js';
import { meant, roles } from '../../api/shapes.js';
import { report, Type } from '../../cli/run/report.js';
import { closed, flag, maybe, oneOf, orNull, text } from '../../output/printed-shapes.js';
import { valueSources } from '../../settings/keys.js';

const resolved = closed({
  value: orNull(text),
  source: Type.Optional(oneOf(...valueSources)),
  where: maybe,
  title: Type.Optional(Type.String({ description: 'Title of the resource, if it was read' })),
});

const Limit = closed({
  because: oneOf('role', 'policy', 'rehearsal'),
  why: text,
  commands: Type.Array(text, { description: 'The commands that are refused; empty for a rehearsal' }),
});

export const status = report({
  name: 'status',
  summary: 'Show who you are signed in as and the current context',
  why:
    'Shows the profile, address, organization, space and site with the source of each, and tests the ' +
    'token. On a terminal and with --json, also shows the role and the commands that it, a policy or a ' +
    'rehearsal refuses.',
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
        meant('role', Type.String({ description: `${roles.join(', ')} or guest; null if it is unknown` })),
      ),
    ),
    roleAtMost: Type.Optional(
      meant(
        'role',
        Type.String({
          description: 'If the role is unknown, the highest that the permissions of the token allow',
        }),
      ),
    ),
    mayNot: Type.Optional(
      Type.Array(Limit, {
        description: 'Refused commands; rights in single spaces and sites are not checked',
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
  exits: [],
  load: async () => (await import('./report.js')).statusReport,
});
