import { join } from 'node:path';
import { expect, test } from 'vitest';
import { kindOf, kinds } from '../../../src/organization/kinds/index.js';
import type { Plan } from '../../../src/plans/plan.js';
import { openOrgWorld } from '../../commands/members/org-world.js';
import { eachTest } from '../../sandbox/each-test.js';
import { Files, type Marker, snapshot, text } from '../generated/files.js';
import { withoutLock } from '../generated/steps.js';

const world = eachTest(openOrgWorld);

async function ok(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await world.run(words);
  expect({ words, code, said: code === 0 ? '' : stderr + stdout }).toEqual({ words, code: 0, said: '' });
  return stdout;
}

/** Pulls, edits and applies; then nothing is left to do, and pull leaves the files as they were edited. @returns the plan */
async function arrives(edit: (files: Files) => void): Promise<Plan> {
  await ok('pull');
  const folder = join(world.home, 'org');
  const files = new Files(folder);
  edit(files);
  files.save();
  const edited = withoutLock(snapshot(folder));
  const plan = JSON.parse(await ok('plan', '--json')) as Plan;
  await ok('apply', '--yes');
  await ok('plan', '--exit-code');
  await ok('pull');
  expect(withoutLock(snapshot(folder))).toEqual(edited);
  return plan;
}

test('each kind that has a creation is created with all its fields', async () => {
  const { operations } = await arrives((files) => {
    const add = (file: string, key: string, item: object) => files.add(files.list(file, key), item);
    const options = ['draft', 'final'];
    add('fields.yaml', 'fields', { name: 'status', type: 'select', title: 'Status', options });
    add('teams.yaml', 'teams', { key: 'editors', title: 'Editors' });
    const goods = { collection: 'goods', title: 'Goods', description: 'All', default_level: 'none' };
    const inner = { collection: 'inner', title: 'Inner', default_level: 'read' };
    add('library.yaml', 'library', { ...goods, contents: [inner] });
    const url = 'https://api.acme.example/public-api/openapi.json';
    add('openapi.yaml', 'specs', { slug: 'orders', url });
    add('translations.yaml', 'translations', { key: 'manuals', title: 'Manuals' });
    const provider = { key: 'partners', label: 'Partners', default_team: 'writers', default_role: 'guest' };
    add('saml.yaml', 'providers', provider);
    const goran = files.items('people.yaml', 'people').find((one) => text(one, 'email').startsWith('goran'));
    goran?.set('teams', files.document('people.yaml').createNode({ editors: 'owner' }));
    const site = { type: 'ultimate', title: 'Portal', visibility: 'unlisted', basename: 'portal' };
    const start = { section: 'start', title: 'Start here', path: 'start', condition: 'visitor.claims.beta' };
    files.create('sites/portal.yaml', {
      site: { ...site, adaptive_content: true },
      structure: [
        {
          ...start,
          spaces: [
            { space: 'board-notes', path: 'board' },
            { space: 'engineering-handbook', path: 'book' },
          ],
        },
        { group: 'all', title: 'All', icon: 'star', sections: [] },
      ],
    });
  });
  const made = operations.flatMap(({ action, kind }) => (action === 'create' ? [kind] : []));
  const creatable = kinds.flatMap(({ name, create }) => (create === undefined ? [] : [name]));
  expect(new Set(made)).toEqual(new Set(creatable));
});

test('each order is changed by its move, and sections enter and leave groups', async () => {
  const { operations } = await arrives((files) => {
    const site = files.sites[0] ?? '';
    const node = (marker: Marker, key: string) => {
      const [file, list] = ['collection', 'space'].includes(marker)
        ? (['library.yaml', 'library'] as const)
        : ([site, 'structure'] as const);
      const all = files.nodes(file, list).filter((one) => one.marker === marker);
      const found = all.find(({ map }) => text(map, marker) === key);
      if (found === undefined) throw new Error(`no ${marker} ${key} in ${file}`);
      return found;
    };
    const move = (marker: Marker, key: string, before: [Marker, string]) => {
      const { list, map } = node(marker, key);
      list.items.splice(list.items.indexOf(map), 1);
      const beside = node(...before);
      beside.list.items.splice(beside.list.items.indexOf(beside.map), 0, map);
    };
    move('collection', 'internal', ['collection', 'product']);
    move('space', 'api-reference', ['space', 'product-guide']);
    move('space', 'welcome', ['space', 'engineering-handbook']);
    move('section', 'home', ['section', 'api']);
    // Only the group can be moved beside it.
    move('section', 'guides', ['group', 'developers']);
  });
  const moved = operations.flatMap(({ action, kind }) => (action === 'move' ? [kind] : []));
  expect(new Set(moved)).toEqual(new Set(['collections', 'spaces', 'groups', 'sections']));
  expect(kindOf('sections').order?.neighbour('groups', 'x')).toBeUndefined();
});
