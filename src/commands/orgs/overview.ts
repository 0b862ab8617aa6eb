import { spaceListOperations } from '../../api/organization-spaces.js';
import { listChangeRequests } from '../../api/resources/change-requests.js';
import { listChangeRequestCommentReplies, listChangeRequestComments } from '../../api/resources/comments.js';
import { listOpenApiSpecs } from '../../api/resources/openapi.js';
import { getOrg } from '../../api/resources/orgs.js';
import { listSamlProviders } from '../../api/resources/saml.js';
import { contextOption } from '../../cli/declare/flags.js';
import { report } from '../../cli/run/report.js';
import { Overview } from './overview-report.js';

/** `docs overview`. */
export const overview = report({
  name: 'overview',
  summary: 'Show the state of an organization at a glance',
  why:
    'Shows people, spaces, sites, change requests, specs and certificates as they are, and the last link check, ' +
    'backup and jobs of this machine, each with the command that shows more. What could not be read is unknown and ' +
    'exits 3.',
  options: [contextOption('organizationId')],
  operations: [
    ...[...spaceListOperations, getOrg, listChangeRequests, listOpenApiSpecs, listSamlProviders],
    ...[listChangeRequestComments, listChangeRequestCommentReplies],
  ],
  returns: Overview,
  id: 'organization.id',
  examples: {
    overview: 'see what needs attention',
    'overview --jq .changeRequests.stale': 'print how many change requests are stale',
    'overview -o csv': 'export a row per line, with its state and command',
  },
  load: async () => (await import('./overview-run.js')).overviewReport,
});
