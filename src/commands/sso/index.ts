import { getMember, linkMemberSso, listMembers } from '../../api/resources/members.js';
import { getOrg } from '../../api/resources/orgs.js';
import { listSamlProviders, listSsoLogins } from '../../api/resources/saml.js';
import { contextOption, manyOptions } from '../../cli/declare/flags.js';
import { command, type Group, manual, option, report, Type } from '../../cli/run/report.js';
import { ItemResult } from '../../output/printed-shapes.js';
import { Readiness, rowStatuses, usualBatch } from './shapes.js';

/** Flags about the identity provider. */
const idpOptions = () => [
  option(
    '--idp <file|->',
    'People of the identity provider: CSV or JSON as Okta, Entra or Google export it',
    { reads: 'path' },
  ),
  option('--idp-column <name>', 'Column of that file with the email, if it is unclear'),
  option('--provider <provider>', 'SAML provider that members sign in through, by id or label; default: any'),
];

/** `docs sso link`. */
const link = manual({
  name: 'link',
  summary: 'Link members to SSO in batches, a canary first',
  why:
    'Links the member of --canary first, asks whether they could sign in, then links the rest as one job, ' +
    'reading each member again before the next batch; --yes asks nothing and goes on once the canary is ' +
    'linked. Members cannot be unlinked, so it refuses if no admin would be left with a way to sign in.',
  args: {
    '[user...]': {
      description: 'Members by id or email; - or @file reads them, one per line',
      reads: 'at',
      emails: true,
    },
  },
  options: [
    option(
      '--from <file|->',
      'Emails or ids one per line, CSV or JSON rows, or the output of sso readiness',
      { reads: 'path' },
    ),
    option('--canary <user>', 'Member to link first, by id or email', { emails: true }),
    option('--canary-only', 'Link only the canary; run the command again without it to go on'),
    option('--batch <n>', 'Members to link before the next check', { number: 'count', default: usualBatch }),
    option('--continue', 'Link later batches even if one fails', { conflicts: ['fail-fast'] }),
    ...idpOptions(),
    ...manyOptions(),
    contextOption('organizationId'),
  ],
  operations: [getOrg, listSamlProviders, listMembers, getMember, linkMemberSso],
  returns: Type.Array(ItemResult),
  exits: ['partial'],
  examples: {
    'sso link --from users.csv --canary ada@acme.example --yes':
      'link one member, then the rest once a read shows that it is linked',
    'sso link --from users.csv --canary ada@acme.example --canary-only --yes':
      'link only the canary; once they could sign in, run it without --canary-only',
    'sso link --from users.csv --batch 50 --yes': 'link members in batches of 50',
  },
  danger: 'confirm',
  applies: async () => (await import('./link-run.js')).applyLinks,
  async run(session, input) {
    const { linkMembers } = await import('./link-run.js');
    await linkMembers(session, input);
  },
});

/** `docs sso readiness`. */
const readiness = report({
  name: 'readiness',
  summary: 'Check whether SSO can be enforced',
  why:
    'Compares the members with an export of the identity provider, reads the certificates of the SAML ' +
    'providers, and lists the findings that block enforcement (exit 17) and those that do not. Sends only reads.',
  options: [
    ...idpOptions(),
    option('--status <status>...', 'Only rows with this status', { choices: rowStatuses, closed: true }),
    contextOption('organizationId'),
  ],
  operations: [getOrg, listSamlProviders, listMembers],
  returns: Readiness,
  id: 'rows.id',
  exits: ['findings', 'not-found'],
  examples: {
    'sso readiness --idp users.csv': 'compare the members with an export of the identity provider',
    'sso readiness --idp users.csv --status to-link -o csv':
      'list those who can be linked, for sso link --from',
    'sso readiness --provider a1 --json': 'check the certificate of one provider',
  },
  load: async () => (await import('./readiness.js')).readinessReport,
});

export const sso: Group = {
  name: 'sso',
  noun: 'SSO login',
  summary: 'Check SSO readiness, link members, manage SAML',
  guide: 'sso',
  why:
    'Shows the logins that members choose from, checks for obstacles to enforcing SSO, and links members to it. ' +
    'To manage the providers behind the logins, use docs saml.',
  commands: [
    command({
      name: 'list',
      operation: listSsoLogins,
      why: 'Shows the label and sign-in address of each provider.',
      listIn: 'items',
      columns: ['label', 'startURL', 'id'],
      examples: { 'sso list': 'list where members sign in' },
    }),
    readiness,
    link,
  ],
};
