import { listSsoLogins } from '../api/resources/sso.js';
import type { Group } from '../cli/declare/command.js';
import { command } from '../cli/declare/define.js';

export const sso: Group = {
  name: 'sso',
  noun: 'SSO login',
  summary: 'List the SSO logins of an organization',
  why: 'Shows the logins that members choose from. To manage the providers behind them, use docs saml.',
  commands: [
    command({
      name: 'list',
      operation: listSsoLogins,
      why: 'Shows the label and sign-in address of each provider.',
      listIn: 'items',
      columns: ['label', 'startURL', 'id'],
      examples: { 'sso list': 'list where members sign in' },
    }),
  ],
};
