import { seedId } from '../sandbox/client.js';

/** Command lines of the hand-written commands, by path: those of operations are made from the declarations. */

const [deniz, chiara] = [seedId('user deniz'), seedId('user chiara')];

const schema = JSON.stringify({ type: 'object', properties: {}, additionalProperties: false });

export const handWritten: Readonly<Record<string, readonly string[][]>> = {
  'auth login': [['auth', 'login', '--with-token']],
  'auth status': [['auth', 'status']],
  'auth can-i': [
    ['auth', 'can-i'],
    ['auth', 'can-i', 'teams', '--json'],
  ],
  'auth list': [['auth', 'list']],
  'auth switch': [['auth', 'switch', 'default']],
  status: [['status']],
  overview: [['overview'], ['overview', '--json']],
  'config set': [['config', 'set', 'page-size', '10']],
  'config list': [['config', 'list']],
  'config get': [['config', 'get', 'page-size']],
  'config unset': [['config', 'unset', 'page-size']],
  'config path': [['config', 'path']],
  'config alias set': [['config', 'alias', 'set', 'admins', 'members list --role admin']],
  'config alias list': [['config', 'alias', 'list']],
  'config alias delete': [['config', 'alias', 'delete', 'admins']],
  'orgs use': [['orgs', 'use', 'Acme Docs']],
  'orgs map': [
    ['orgs', 'map', '--pages'],
    ['orgs', 'map', '--json'],
    ['orgs', 'map', '-o', 'mermaid'],
    ['orgs', 'map', '-o', 'dot'],
  ],
  'spaces list': [
    ['spaces', 'list'],
    ['spaces', 'list', '-o', 'csv'],
  ],
  'spaces use': [['spaces', 'use', 'Welcome']],
  'sites use': [['sites', 'use', 'none']],
  'sites tree': [
    ['sites', 'tree', 'Acme Docs'],
    ['sites', 'tree', 'Acme Docs', '-o', 'csv'],
  ],
  'sites arrange': [['sites', 'arrange', 'Acme Docs', '@tree.txt', '--dry-run']],
  'change-requests inbox': [
    ['change-requests', 'inbox'],
    ['change-requests', 'inbox', '--as', deniz, '--json'],
  ],
  'links check': [
    ['links', 'check'],
    ['links', 'check', '--status', 'ok', '--report', 'sarif', '--report-file', 'links.sarif'],
    ['links', 'check', '--status', 'ok', '--report', 'junit', '--report-file', 'links.xml'],
    ['links', 'check', '--status', 'ok', '--report', 'markdown', '--report-file', 'links.md'],
    ['links', 'check', '--update-baseline', '--baseline', 'baseline.json'],
    ['links', 'check', '--html', 'links.html'],
    ['links', 'check', '--shard', '1/1', '--parts', 'parts-of-links'],
    ['links', 'check', '--merge', 'parts-of-links', '--json'],
  ],
  'links graph': [
    ['links', 'graph', '--by', 'page'],
    ['links', 'graph', '--json'],
    ['links', 'graph', '-o', 'dot'],
    ['links', 'graph', '-o', 'mermaid'],
  ],
  'change-requests diff': [
    ['change-requests', 'diff', '3', '--space', 'Welcome'],
    ['change-requests', 'diff', '3', '--space', 'Welcome', '--md'],
    ['change-requests', 'diff', '3', '--space', 'Welcome', '--html'],
    ['change-requests', 'diff', '3', '--space', 'Welcome', '--stat'],
  ],
  'change-requests review': [
    ['change-requests', 'review', '3', '--space', 'Welcome'],
    ['change-requests', 'review', '3', '--space', 'Welcome', '--json'],
  ],
  'links fix': [
    ['links', 'fix'],
    ['links', 'fix', '--match-titles', '--out', 'fixes', '--yes'],
    [
      ...['links', 'fix', '--match-titles', '--as-change-request', '--yes'],
      ...['--import-base', 'https://files.example.com/fixes'],
    ],
  ],
  'openapi publish': [['openapi', 'publish', 'petstore', 'spec.yaml', '--create', '--no-wait', '--yes']],
  'openapi wait': [['openapi', 'wait', 'none']],
  api: [
    ['api', '/v1/orgs', '--include'],
    ['api', '/v1/orgs', '-H', 'X-Api-Key: canary-key-of-a-header', '--json'],
    ['api', 'PATCH', '/v1/spaces/{space}', '-f', 'title=Renamed'],
    ['api', '--paginate', '/v1/orgs', '-o', 'yaml'],
  ],
  open: [
    ['open', 'org', '--print'],
    ['open', 'space', '--published', '--print'],
  ],
  doctor: [['doctor']],
  'impact delete': [
    ['impact', 'delete', 'space', 'Welcome', '--json'],
    ['impact', 'delete', 'member', chiara, '--html', 'impact.html'],
    ['impact', 'delete', 'space', 'Welcome', '--html', 'impact-page.html'],
  ],
  'impact move': [['impact', 'move', 'space', 'Welcome', '--unset', 'parent']],
  'impact transfer': [
    [
      ...['impact', 'transfer', 'space', 'Welcome', '--to-org', 'Acme Labs'],
      ...['--save-plan', 'transfer.json', '--yes'],
    ],
  ],
  'impact rename': [['impact', 'rename', 'site', 'Acme Docs', '--basename', 'handbook', '-o', 'markdown']],
  bulk: [
    ['bulk', 'teams', 'create', '--from', 'teams.csv', '--again'],
    ['bulk', 'teams', 'delete', '--from', 'gone.csv', '--yes', '--again'],
  ],
  'members review': [
    ['members', 'review', '-o', 'csv'],
    ['members', 'review', '--apply', 'review.csv', '--yes'],
  ],
  'members offboard': [
    ['members', 'offboard', deniz, '--evidence', 'evidence', '--yes', '--allow-unseen'],
    ['members', 'offboard', chiara, '--evidence', 'evidence', '--yes', '--allow-unseen', '--json'],
  ],
  'access explain': [
    ['access', 'explain', deniz, 'site:none'],
    ['access', 'explain', deniz, `space:${seedId('space api')}`, '--json'],
  ],
  'access who': [
    ['access', 'who', seedId('space api')],
    ['access', 'who', seedId('space api'), '--json'],
  ],
  'access matrix': [
    ['access', 'matrix', '-o', 'csv'],
    ['access', 'matrix', '--json'],
  ],
  'impact access': [
    ['access', 'what-if', '--role', `${deniz}=read`, '--level', `${seedId('space api')}=none`],
    ['access', 'what-if', '--delete-team', seedId('team writers'), '--json'],
  ],
  'access diff': [['access', 'diff', 'matrix.csv', 'matrix.csv']],
  'sites schema diff': [
    ['sites', 'schema', 'diff', seedId('site docs'), schema],
    ['sites', 'schema', 'diff', seedId('site docs'), schema, '--json'],
  ],
  'sites schema eval': [
    ['sites', 'schema', 'eval', seedId('site docs'), '--claims', '{}'],
    ['sites', 'schema', 'eval', seedId('site docs'), '--claims', '{}', '--schema', schema, '--json'],
  ],
  'sso readiness': [
    ['sso', 'readiness'],
    ['sso', 'readiness', '-o', 'csv'],
  ],
  'sso link': [['sso', 'link', deniz, '--canary', chiara, '--yes', '--json']],
  'sites release cut': [
    ['release', 'cut', '2.1', '--site', seedId('site docs'), '--from', 'API', '--dry-run'],
    ['release', 'cut', '2.1', '--site', seedId('site docs'), '--from', 'API', '--yes', '--json'],
  ],
  'jobs list': [['jobs', 'list']],
  'jobs show': [
    ['jobs', 'show', 'last'],
    ['jobs', 'show', 'last', '--json'],
  ],
  'jobs resume': [['jobs', 'resume', 'last']],
  'jobs settle': [['jobs', 'settle', 'last', '0', '--not-done']],
  'jobs discard': [['jobs', 'discard', 'last', '--yes', '--dry-run']],
  undo: [
    ['undo', 'last', '--dry-run'],
    ['undo', 'last', '--yes'],
  ],
  'backup run': [
    ['backup', 'run', '--out', 'backup'],
    ['backup', 'run', '--out', 'parts', '--shard', '1/1'],
  ],
  'backup merge': [['backup', 'merge', 'parts', '--out', 'whole']],
  'backup verify': [
    ['backup', 'verify', 'backup'],
    ['backup', 'verify', 'backup', '--offline'],
  ],
  'backup diff': [
    ['backup', 'diff', 'backup', 'backup'],
    ['backup', 'diff', 'backup', 'backup', '--html', 'diff.html'],
  ],
  'backup status': [['backup', 'status', 'backup', '--max-age', '26h']],
  'backup pack': [['backup', 'pack', 'backup', '--out', 'packs', '--yes']],
  'backup search': [
    ['backup', 'search', 'backup', 'the'],
    ['backup', 'search', 'backup', 'the', '--json'],
  ],
  'backup log': [['backup', 'log', 'backup']],
  'backup show': [['backup', 'show', 'backup', 'latest']],
  'backup restore': [
    ['backup', 'restore', 'backup', '--dry-run'],
    ['backup', 'restore', 'backup', '--yes'],
  ],
  'change-requests stale': [
    ['change-requests', 'stale', '--older-than', '1h', '--list'],
    ['change-requests', 'stale', '--older-than', '1h', '--drafts', '--yes', '--json'],
  ],
  'spaces trash list': [['trash', 'list']],
  'spaces trash restore': [['trash', 'restore', 'gone']],
  'jobs prune': [['jobs', 'prune', '--days', '1000']],
  pull: [
    ['pull', '--dir', 'organization'],
    ['pull', '--dir', 'organization', '--only', 'drift', '--json'],
  ],
  plan: [
    ['plan', '--dir', 'organization', '--save-plan', 'plan.json', '--yes'],
    ['plan', '--dir', 'organization', '-o', 'markdown'],
    ['plan', '--dir', 'organization', '--html', 'plan.html'],
  ],
  'plan show': [
    ['plan', 'show', 'plan.json'],
    ['plan', 'show', 'plan.json', '-o', 'markdown'],
    ['plan', 'show', 'plan.json', '--html', 'shown.html'],
  ],
  apply: [
    ['apply', '--dir', 'organization', '--yes'],
    ['apply', 'plan.json', '--dir', 'organization', '--yes'],
  ],
  'plan drift': [['plan', 'drift', '--dir', 'organization']],
  'plan approve': [['plan', 'approve', 'plan.json']],
  'audit list': [['audit', 'list']],
  'audit export': [['audit', 'export']],
  'audit verify': [['audit', 'verify']],
  'policy test': [['policy', 'test', '--', 'teams', 'create', '--title', 'One']],
  'policy explain': [['policy', 'explain']],
  'policy init': [['policy', 'init', '--read-only', 'policy.yaml']],
  'mcp serve': [['mcp', 'serve']],
  'plan adopt': [['plan', 'adopt', '--dir', 'organization', 'teams/none=t1']],
  find: [['find', 'make', 'someone', 'an', 'admin']],
  commands: [['commands']],
  'mcp skill print': [['skill', 'print']],
  'mcp skill install': [['skill', 'install', '--to', 'skills']],
  'commands schema': [
    ['commands', 'schema', 'members', 'update'],
    ['commands', 'schema', 'plan'],
    ['commands', 'schema', 'file:teams'],
  ],
  completion: [['completion', 'bash']],
  'auth logout': [['auth', 'logout']],
  // These work on a database of this machine and have no token of the platform.
  'sandbox start': [['sandbox', 'start', '--dry-run']],
  'sandbox stop': [['sandbox', 'stop']],
  'sandbox status': [['sandbox', 'status']],
  'sandbox open': [['sandbox', 'open', '--dry-run']],
  'sandbox seed': [['sandbox', 'seed', 'tiny', '--yes']],
  'sandbox reset': [['sandbox', 'reset', '--yes']],
  'sandbox export': [['sandbox', 'export']],
  'sandbox clock': [['sandbox', 'clock', '+1d']],
  'sandbox fault': [['sandbox', 'fault', '--clear']],
  'sandbox requests': [['sandbox', 'requests']],
  'sandbox publish': [['sandbox', 'publish', 'none']],
  rehearse: [['rehearse', '--dry-run', '--', 'teams', 'list']],
  'sandbox exec': [['sandbox', 'exec', '--dry-run', '--', 'true']],
};
