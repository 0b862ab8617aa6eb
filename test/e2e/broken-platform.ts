import type { BackupHome } from './backup-home.js';

/** Changes of people, teams, fields, the library and a site, which a restore takes back. */
export async function breakThings(home: BackupHome): Promise<void> {
  const onSite = ['--site', await home.firstId('sites', 'list')];
  const changes = [
    ['teams', 'delete', await home.idOf('Support', 'teams', 'list'), '--yes'],
    ['teams', 'update', await home.idOf('Writers', 'teams', 'list'), '--title', 'Scribes'],
    ['members', 'update', 'bruno@acme.example', '--role', 'read', '--yes'],
    ['sections', 'delete', await home.idOf('API', 'sections', 'list', ...onSite), ...onSite, '--yes'],
    ['custom-fields', 'delete', 'audience', '--yes'],
    ['spaces', 'update', await home.space('Welcome'), '--title', 'Hello', '--emoji', '🎉'],
    ['spaces', 'fields', 'set', await home.space('Product Guide'), 'owner-team=Nobody'],
    ['collections', 'update', await home.idOf('Internal', 'collections', 'list'), '--title', 'Ours'],
    ['orgs', 'update', home.org, '--title', 'Broken'],
  ];
  for (const words of changes) await home.ok(words);
  home.gateway.reset();
}
