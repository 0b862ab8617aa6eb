import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Scalar } from 'yaml';
import { organization } from './arbitrary.js';
import { Files, snapshot } from './files.js';
import { stateOf } from './state.js';
import { folderOf, pull } from './steps.js';
import { type Ran, World } from './world.js';

/** Values of `!env` and the token: in no file that docs writes, and in nothing that it prints. */

let world: World;
beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world.close());

const first = {
  ENTITY: 'urn:canary-1-entity',
  SSO_URL: 'https://canary-1-sso.example/login',
  SPEC_URL: 'https://canary-1-spec.example/openapi.json?key=canary-1-key',
  CERTIFICATE: '-----BEGIN CERTIFICATE-----\ncanary-1-certificate\n-----END CERTIFICATE-----\n',
};
type Secrets = Readonly<Record<keyof typeof first, string>>;
const later: Secrets = Object.fromEntries(
  Object.entries(first).map(([name, value]) => [name, value.replaceAll('canary-1', 'canary-2')]),
) as Secrets;

/** `!env NAME`. */
function fromEnvironment(name: keyof Secrets): Scalar {
  const scalar = new Scalar(name);
  scalar.tag = '!env';
  return scalar;
}

/** A provider and a spec whose values come from the environment. */
function addSecrets(): void {
  const files = new Files(folderOf(world));
  const add = (file: string, key: string, item: Record<string, unknown>) =>
    files.add(files.list(file, key), item);
  const [entity_id, sso_url, certificate, url] = (
    ['ENTITY', 'SSO_URL', 'CERTIFICATE', 'SPEC_URL'] as const
  ).map(fromEnvironment);
  add('saml.yaml', 'providers', { key: 'secret', label: 'Secret', entity_id, sso_url, certificate });
  add('openapi.yaml', 'specs', { slug: 'secret', url });
  files.top('org.yaml').set('env', Object.keys(first));
  files.save();
}

/** Runs a command, whatever comes of it, and searches what it printed. */
async function quiet(words: readonly string[], secrets: Secrets): Promise<Ran> {
  const ran = await world.docs([...words, '--debug'], secrets);
  expectNone(`docs ${words.join(' ')}`, ran.stdout + ran.stderr);
  for (const [file, text] of snapshot(world.folder))
    expectNone(`${file} after docs ${words.join(' ')}`, text);
  return ran;
}

function expectNone(where: string, text: string): void {
  const found = [
    /canary-\d-[a-z]+/.exec(text)?.[0],
    text.includes(world.env.DOCS_TOKEN ?? '') ? 'token' : undefined,
  ];
  expect({ where, found: found.filter((each) => each !== undefined) }).toEqual({ where, found: [] });
}

async function begin(): Promise<void> {
  const [org] = fc.sample(organization, { numRuns: 1, seed: 7 });
  if (org === undefined) throw new Error('no organization');
  world.load(stateOf(org));
  await pull(world);
  addSecrets();
}

const inFolder = ['--dir', 'org'];

test('planned, applied, changed, applied again, undone: no secret is written or printed', async () => {
  await begin();
  expect((await quiet(['plan', ...inFolder, '--save-plan', 'plan.json'], first)).code).toBe(0);
  expect((await quiet(['plan', 'show', 'plan.json'], first)).code).toBe(0);
  expect((await quiet(['plan', ...inFolder, '--json'], first)).code).toBe(0);
  expect((await quiet(['apply', 'plan.json', ...inFolder, '--yes'], first)).code).toBe(0);
  expect(world.state()).toContain('canary-1-certificate');
  expect((await quiet(['drift', ...inFolder], first)).code).toBe(0);
  expect((await quiet(['pull', ...inFolder], first)).code).toBe(0);

  expect((await quiet(['plan', ...inFolder, '--save-plan', 'plan-2.json'], later)).code).toBe(0);
  expect((await quiet(['apply', ...inFolder, '--yes', '--json'], later)).code).toBe(0);
  expect(world.state()).toContain('canary-2-key');
  expect(world.state()).not.toContain('canary-1');
  await quiet(['jobs', 'list', '--json'], later);
  await quiet(['jobs', 'show', 'last', '--json'], later);
  await quiet(['undo', 'last', '--yes', '--json'], later);
  await quiet(['drift', ...inFolder, '--json'], later);
});

test('a value that changed between plan and apply is noticed, and not shown', async () => {
  await begin();
  await quiet(['plan', ...inFolder, '--save-plan', 'plan.json'], first);
  const { code, stderr } = await quiet(['apply', 'plan.json', ...inFolder, '--yes'], later);
  expect(code).not.toBe(0);
  expect(stderr).toMatch(/ENTITY|SSO_URL|CERTIFICATE|SPEC_URL/);
  expect(world.state()).not.toContain('canary');
});

test('a value that the platform refuses is not repeated, nor one that it answers with a failure', async () => {
  await begin();
  const refused = { ...first, SSO_URL: 'ftp://canary-1-sso.example' };
  expect((await quiet(['apply', ...inFolder, '--yes', '--json'], refused)).code).not.toBe(0);
  world.addFault({ match: 'PUT *', status: 500 });
  world.addFault({ match: 'POST *', status: 500 });
  world.addFault({ match: 'PATCH *', reset: 'before' });
  expect((await quiet(['apply', ...inFolder, '--yes'], first)).code).not.toBe(0);
  world.clearFaults();
  await quiet(['jobs', 'resume', 'last'], first);
  expect(readFileSync(join(folderOf(world), 'saml.yaml'), 'utf8')).toContain('!env SSO_URL');
});
