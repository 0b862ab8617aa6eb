import { ownRoles } from '../../access/own-role.js';
import { getMember } from '../../api/resources/members.js';
import { listOrgs } from '../../api/resources/orgs.js';
import { contextOption, option, report, Type } from '../../cli/run/report.js';
import { closed, maybe, oneOf, orNull, text } from '../../output/printed-shapes.js';

const Answer = closed({
  command: text,
  needs: orNull(
    Type.String({
      description: 'Lowest role that may; null if it sends nothing or its requests are unknown',
    }),
  ),
  byRole: oneOf('yes', 'no', 'unknown'),
  policy: oneOf('allow', 'ask', 'deny'),
  rule: maybe,
  file: maybe,
  line: Type.Optional(Type.Integer({ description: 'Of the file, from 1' })),
  unless: Type.Array(text, { description: 'Rules and requests that can change the verdict' }),
});

export const canI = report({
  name: 'can-i',
  summary: 'Show which commands role and policies allow',
  why:
    'Shows the role that each command needs, whether the role of this token suffices, and the verdict and ' +
    'rule of the policies in force. For one command it exits 0 if allowed, 5 if denied, 17 if it requires ' +
    'an approved plan, 3 if rights in a space or collection can decide otherwise, and as the failed ' +
    'request if the role cannot be read.',
  guide: 'policy',
  args: {
    '[command...]': {
      description: 'Words of a command or group; default: all commands',
      completes: 'commands',
    },
  },
  options: [
    option('--role <role>', 'Answer for this role instead; sends no request', {
      choices: ownRoles,
    }),
    contextOption('organizationId'),
  ],
  operations: [listOrgs, getMember],
  returns: Type.Array(Answer),
  columns: [
    { path: 'command', keep: true },
    { path: 'needs', keep: true },
    { path: 'byRole', keep: true },
    { path: 'policy', keep: true },
    'rule',
    'file',
    'line',
  ],
  id: 'command',
  exits: ['partial', 'unauthenticated', 'forbidden', 'network', 'findings'],
  examples: {
    'auth can-i': 'list every command with the role that it needs',
    'auth can-i change-requests merge': 'find out whether this token may merge',
    'auth can-i sites --role review --fields command,needs,byRole': 'show the rights of a reviewer on sites',
  },
  load: async () => (await import('./can-i-report.js')).canIReport,
});
