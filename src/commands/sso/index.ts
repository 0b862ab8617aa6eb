import { listSsoLogins } from '../../api/resources/sso.js';
import type { Group } from '../../cli/declare/command.js';
import { command } from '../../cli/declare/define.js';
import { link } from './link.js';
import { readiness } from './readiness.js';

export const sso: Group = {
  name: 'sso',
  noun: 'SSO login',
  summary: 'List SSO logins, check readiness, link members',
  guide: 'sso',
  why:
    'Shows the logins that members choose from, what stands against enforcing SSO, and links members to it. To ' +
    'manage the providers behind the logins, use docs saml.',
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
