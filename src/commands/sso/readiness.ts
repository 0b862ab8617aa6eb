import { Readiness, rowStatuses } from '../../access/sso/report.js';
import { listMembers } from '../../api/resources/members.js';
import { getOrg } from '../../api/resources/orgs.js';
import { listSamlProviders } from '../../api/resources/saml.js';
import { manual } from '../../cli/declare/define.js';
import { contextOption, option } from '../../cli/declare/standing-flags.js';
import { idpOptions } from './options.js';

/** `docs sso readiness`. */
export const readiness = manual({
  name: 'readiness',
  summary: 'Check whether SSO can be enforced',
  why:
    'Compares the members with an export of the identity provider, reads the certificates of the SAML ' +
    'providers, and lists what blocks enforcement (exit 17) and what does not. Sends nothing but reads.',
  options: [
    ...idpOptions(),
    option('--status <status>...', 'Only rows with this status', { choices: rowStatuses, closed: true }),
    contextOption('organizationId'),
  ],
  operations: [getOrg, listSamlProviders, listMembers],
  returns: Readiness,
  id: 'rows.id',
  exits: ['findings', 'partial', 'not-found'],
  examples: {
    'sso readiness --idp users.csv': 'compare the members with an export of the identity provider',
    'sso readiness --idp users.csv --status to-link -o csv':
      'list those who can be linked, for sso link --from',
    'sso readiness --provider a1 --json': 'check the certificate of one provider',
  },
  async run(session, input) {
    const { checkReadiness } = await import('./readiness-run.js');
    await checkReadiness(session, input);
  },
});
