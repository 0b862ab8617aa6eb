import { getMember, linkMemberSso, listMembers } from '../../api/resources/members.js';
import { getOrg } from '../../api/resources/orgs.js';
import { listSamlProviders } from '../../api/resources/saml.js';
import { Type } from '../../api/type.js';
import { manual } from '../../cli/declare/define.js';
import { contextOption, manyOptions, option } from '../../cli/declare/standing-flags.js';
import { ItemResult } from '../../output/printed-shapes.js';
import { idpOptions, usualBatch } from './options.js';

/** `docs sso link`. */
export const link = manual({
  name: 'link',
  summary: 'Link members to SSO in batches, a canary first',
  why:
    'Links a canary, waits until you say that they could sign in, then links the rest as one job, reading each ' +
    'member again before the next batch. Nothing unlinks a member, so it is refused where no admin would be left ' +
    'with a way in.',
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
      {
        reads: 'path',
      },
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
      'link one member, then the rest once they could sign in',
    'sso link --from users.csv --canary ada@acme.example --canary-only --yes':
      'link only the canary, in a script; without --canary-only it goes on tomorrow',
    'sso link --from users.csv --batch 50 --yes': 'link members in batches of 50',
  },
  danger: 'confirm',
  applies: async () => (await import('./link-apply.js')).applyLinks,
  async run(session, input) {
    const { linkMembers } = await import('./link-run.js');
    await linkMembers(session, link, input);
  },
});
