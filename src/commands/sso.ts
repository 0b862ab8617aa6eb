import { listSsoLogins } from '../api/resources/sso.js';
import type { Group } from '../cli/declare/command.js';
import { command } from '../cli/declare/define.js';

export const sso: Group = {
  name: 'sso',
  noun: 'SSO login',
  summary: 'Single sign-on of an organization',
  why: 'What members meet: the logins to choose from. Who administers them uses docs saml.',
  commands: [
    command({
      name: 'list',
      aliases: ['ls'],
      operation: listSsoLogins,
      why: 'Where people begin to sign in: a label and an address for each provider.',
      listIn: 'items',
      columns: ['label', 'startURL', 'id'],
      examples: [{ run: 'sso list', does: 'where members sign in' }],
    }),
  ],
};
