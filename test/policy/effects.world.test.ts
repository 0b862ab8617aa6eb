import { beforeEach, describe, expect, it } from 'vitest';
import { opened } from '../opened.js';
import { seedId } from '../sandbox/client.js';
import { openGateWorld } from './gate-world.js';

/** What a body does counts for a policy, whatever its path and method say. */

const world = opened(openGateWorld);
beforeEach(() => world.reset());

const org = seedId('org acme');
const inOrg = { env: { DOCS_ORG: org } };
const [bruno, goran] = ['bruno', 'goran'].map((name) => seedId(`user ${name}`));
const writers = seedId('team writers');
const [product, internal] = ['product', 'internal'].map((name) => seedId(`collection ${name}`));
const docs = seedId('site docs');
const home = seedId('section docs Home');
const guides = seedId('section docs Guides');
const group = seedId('section group docs Developers');
const guide = seedId('space guide');

const allows = 'default: allow\n';
const denied = { code: 5, error: { code: 'policy_denied' }, writes: [] };

/** The rule that denied a command; undefined where it ran. */
async function ruleAgainst(words: readonly string[], policy: string): Promise<unknown> {
  const ran = await world.run([...words, '--yes'], `${allows}${policy}`, inOrg);
  if (ran.code === 0) return undefined;
  expect({ words, ...ran }).toMatchObject(denied);
  return ran.error?.details?.rule;
}

describe('protect', () => {
  it.each<[string, string[], string]>([
    [
      'a member who is taken out of a team',
      ['teams', 'members', 'update', writers, '--remove', `${bruno}`],
      'member:bruno@acme.example',
    ],
    [
      'a member who is put into one',
      ['teams', 'members', 'update', writers, '--add', `${bruno}`],
      'member:bruno@acme.example',
    ],
    [
      'a member who gets another role there',
      ['teams', 'members', 'update', writers, '--membership', `${bruno}=owner`],
      `member:${bruno}`,
    ],
    [
      'a member of a new team',
      ['teams', 'create', '--title', 'Press', '--member', `${bruno}`],
      `member:${bruno}`,
    ],
    [
      'a section that a new group takes',
      ['section-groups', 'create', '--site', docs, '--title', 'New', '--section', home],
      'section:Home',
    ],
    ['a section that a group takes', ['section-groups', 'add', group, home, '--site', docs], 'section:Home'],
    [
      'a space that a new site shows',
      ['sites', 'create', '--type', 'basic', '--title', 'New', '--space-id', guide],
      'space:Product Guide',
    ],
    [
      'a space that a section shows',
      ['sections', 'create', '--site', docs, '--space-id', guide, '--title', 'New'],
      'space:Product Guide',
    ],
    [
      'a collection that something is put into',
      ['collections', 'create', '--title', 'New', '--parent', `${product}`],
      'collection:Product',
    ],
    [
      'what lies in a collection that is deleted',
      ['collections', 'delete', `${product}`],
      'space:API Reference',
    ],
    [
      'what lies in a collection that is transferred',
      ['collections', 'transfer', `${product}`, '--to-org', seedId('org labs')],
      'space:API Reference',
    ],
    ['what a deleted site has', ['sites', 'delete', docs], 'section:Guides'],
    [
      'what a deleted section has',
      ['sections', 'delete', guides, '--site', docs],
      'site-space:Product Guide',
    ],
    ['what a deleted group had', ['section-groups', 'delete', group, '--site', docs], 'section:Guides'],
    ['a member of a deleted team', ['teams', 'delete', writers], 'member:chiara@acme.example'],
    ['where a deleted space is shown', ['spaces', 'delete', guide], 'site-space:Product Guide'],
    [
      'where a transferred space is shown',
      ['spaces', 'transfer', guide, '--to-org', seedId('org labs')],
      'site-space:Product Guide',
    ],
    [
      'where a space of a transferred collection is shown',
      ['collections', 'transfer', `${product}`, '--to-org', seedId('org labs')],
      'site-space:API Reference',
    ],
    [
      'a change request of a deleted space',
      ['spaces', 'delete', seedId('space welcome')],
      'change-request:Describe single sign-on, drop the FAQ',
    ],
  ])('covers %s', async (_, words, kept) => {
    expect(await ruleAgainst(words, `protect: [${JSON.stringify(kept)}]\n`)).toBe(`protect ${kept}`);
  });

  it('leaves neighbours of a move and what a field points to alone', async () => {
    const beside = ['collections', 'move', `${internal}`, '--before', `${product}`];
    expect(await ruleAgainst(beside, 'protect: ["collection:Product"]\n')).toBeUndefined();
    const first = ['sites', 'update', docs, '--default-section', home];
    expect(await ruleAgainst(first, 'protect: ["section:Home"]\n')).toBeUndefined();
  });

  it('denies what goes along where it cannot be read', async () => {
    world.control.faults.add({ match: `GET /v1/collections/${product}/spaces`, status: 403 });
    const found = await ruleAgainst(['collections', 'delete', `${product}`], 'protect: ["space:Other"]\n');
    expect(found).toBe('protect space:Other');
  });
});

describe('budgets', () => {
  const two = ['teams', 'members', 'update', writers, '--remove', `${bruno}`, '--remove', `${goran}`];
  it.each<[string, string[], string, string | undefined]>([
    ['members who are removed', two, 'deletes: 1/run', 'budget deletes: 1/run'],
    ['no more than those', two, 'deletes: 2/run', undefined],
    [
      'members who are added',
      ['teams', 'members', 'update', writers, '--add', `${bruno}`, '--add', `${goran}`],
      'writes: 1/run',
      'budget writes: 1/run',
    ],
    [
      'what a deleted collection had',
      ['collections', 'delete', `${product}`],
      'writes: 2/run',
      'budget writes: 2/run',
    ],
    ['what a deleted site had', ['sites', 'delete', docs], 'deletes: 3/run', 'budget deletes: 3/run'],
    ['members of a deleted team', ['teams', 'delete', writers], 'deletes: 2/run', 'budget deletes: 2/run'],
    [
      'where a deleted space is shown',
      ['spaces', 'delete', guide],
      'deletes: 1/run',
      'budget deletes: 1/run',
    ],
  ])('count %s', async (_, words, budget, rule) => {
    expect(await ruleAgainst(words, `budget: { ${budget} }\n`)).toBe(rule);
  });
});

it('a saved plan says that what goes along is over the budget', async () => {
  const words = ['collections', 'delete', `${product}`, '--save-plan', 'plan.json'];
  const ran = await world.run(words, `${allows}budget: { writes: 2/run }\n`, inOrg);
  expect({ code: ran.code, writes: ran.writes }).toEqual({ code: 0, writes: [] });
  const { policy } = JSON.parse(ran.stdout) as { policy: { denied: { rule: string }[] } };
  expect(policy.denied.map(({ rule }) => rule)).toEqual(['budget writes: 2/run']);
});

describe('rules', () => {
  const asks = async (words: readonly string[], rule: string) => {
    const ran = await world.run([...words, '--yes'], `${allows}ask: [${JSON.stringify(rule)}]\n`, inOrg);
    return ran.code === 0 ? false : ran.error?.details?.verdict === 'ask';
  };
  it.each<[string[], boolean]>([
    [['members', 'update', `${goran}`, '--role', 'admin'], true],
    [['members', 'update', `${goran}`, '--role', 'read'], true],
    [['members', 'update', `${bruno}`, '--role', 'guest'], false],
    [['orgs', 'update', '--default-role', 'admin'], true],
    [['orgs', 'update', '--invite-links'], true],
    [['orgs', 'update', '--title', 'New'], false],
    [['sites', 'update', docs, '--visibility', 'public'], true],
    [['sites', 'update', docs, '--visibility', 'visitor-auth'], false],
    [['sites', 'update', docs, '--title', 'New'], false],
    [['spaces', 'update', guide, '--default-level', 'edit'], true],
    [['teams', 'members', 'set', writers, `${goran}`, '--role', 'member'], true],
    [['teams', 'members', 'update', writers, '--remove', `${bruno}`], false],
    [['site-spaces', 'create', '--site', docs, '--space-id', guide], true],
  ])('exposes=any of %j: %s', async (words, is) => {
    expect(await asks(words, '* exposes=any')).toBe(is);
  });

  it('exposes=role asks for no site that opens', async () => {
    expect(await asks(['sites', 'update', docs, '--visibility', 'public'], '* exposes=role')).toBe(false);
    expect(await asks(['sites', 'update', docs, '--visibility', 'public'], '* exposes=public')).toBe(true);
  });

  it('danger=confirm covers members whom a body removes', async () => {
    const words = ['teams', 'members', 'update', writers, '--remove', `${bruno}`];
    expect(await asks(words, '* danger=confirm')).toBe(true);
    expect(await asks(['teams', 'members', 'update', writers, '--add', `${goran}`], '* danger=confirm')).toBe(
      false,
    );
  });

  it('a star stands for any value', async () => {
    const create = ['teams', 'create', '--title', 'Press'];
    expect(await ruleAgainst(create, 'deny: ["teams create title=*"]\n')).toBe('teams create title=*');
    const update = ['members', 'update', `${goran}`, '--role', 'read'];
    expect(await ruleAgainst(update, 'deny: ["teams create title=*"]\n')).toBeUndefined();
  });
});
