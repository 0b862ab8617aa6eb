import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { commandTree } from '../../src/cli/declare/outline.js';
import { groups } from '../../src/commands/index.js';
import { heldResults, ofProcesses } from './held.js';
import { freshHome } from './program.js';
import { sandboxHere } from './sandbox-here.js';
import { stubPlatform } from './stub-platform.js';

/**
 * What hand-written commands print with --json is what `docs commands` says, field for field. Those
 * over operations are held in test/commands/describe.test.ts; what starts processes, in results.program.test.ts.
 */

const home = freshHome();
const sandbox = await sandboxHere(home);
/** What makes it the platform of a command. */
const onSandbox = {
  DOCS_BASE_URL: sandbox.url,
  DOCS_TOKEN: sandbox.token,
  DOCS_ORG: sandbox.defaults.org,
};
const platform = await stubPlatform((_, { pathname }) => ({
  body: pathname === '/v1/orgs' ? { items: [] } : { id: 'x1', title: 'Some title' },
}));
afterAll(async () => {
  await platform.close();
  await sandbox.close();
  home.remove();
});

/** `approve` needs a terminal (approve.test.ts); `mcp serve` speaks a protocol (mcp.test.ts). */
const elsewhere = [...ofProcesses, 'plan approve', 'mcp serve'];
const envOf = (path: string) =>
  /^(auth|config|sandbox|commands|schema|completion)\b| use$/.test(path) ? {} : onSandbox;
const { held, checked } = await heldResults(home, envOf);

/** What a command on the sandbox prints. */
const docs = async (...words: string[]): Promise<string> => {
  const { code, stdout, stderr } = await home.run(words, { env: onSandbox });
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
};
const idOf = async (...words: string[]): Promise<string> =>
  (await docs(...words, '-o', 'id')).split('\n')[0] ?? '';

describe('what a hand-written command prints', () => {
  it('about itself', async () => {
    expect(await held('commands')).toHaveLength((await commandTree(groups)).length);
    await held('commands', ['--full']);
    await held('commands schema', ['members', 'update']);
    await held('completion', ['bash']);
    await held('completion', ['bash', '--install', '--yes']);
    await held('completion', ['bash', '--uninstall', '--yes']);
  });

  it('about signing in and settings', async () => {
    await held('auth login', ['--base-url', platform.url, '--with-token'], { stdin: 'token-1\n' });
    await held('auth status');
    await held('auth status', ['--show-token']);
    await held('auth list');
    await held('auth can-i', ['--role', 'review', '--org', 'o1']);
    await held('auth switch', ['default']);
    await held('orgs use', ['x1']);
    await held('spaces use', ['x1']);
    await held('sites use', ['x1']);
    await held('config set', ['org', 'o1']);
    await held('config list');
    await held('config get', ['org']);
    await held('config unset', ['org']);
    await held('config path');
    await held('config alias set', ['admins', 'members list --role admin']);
    expect(await held('config alias list')).toEqual([
      { name: 'admins', expansion: 'members list --role admin', problem: null },
    ]);
    await held('config alias delete', ['admins']);
    await held('auth logout');
    await held('auth logout');
  });

  it('about where one is', async () => {
    await held('status');
    await held('overview');
    await held('orgs map');
    await held('orgs map', ['--pages', '--only', 'spaces']);
    await held('doctor');
    const org = await idOf('orgs', 'list');
    await held('api', ['/v1/orgs']);
    await held('open', ['org', org, '--print']);
  });

  it('about spaces, deleted ones and jobs', async () => {
    const spaces = (await held('spaces list')) as { id: string; title: string }[];
    const [space] = spaces;
    const proposed = spaces.find(({ title }) => title === 'Welcome')?.id ?? '';
    expect(await held('change-requests diff', ['3', '--space', proposed])).not.toEqual([]);
    expect(await held('change-requests review', ['3', '--space', proposed])).not.toEqual([]);
    await docs('spaces', 'delete', space?.id ?? '', '--yes');
    await held('change-requests inbox');
    await held('links check');
    await held('links graph');
    await held('links fix');
    const site = await idOf('sites', 'list');
    await held('sites tree', [site]);
    const tree = await docs('sites', 'tree', site);
    const stdin = tree.replace(/( \/[\w-]+)( +\[)/, '$1-x$2');
    expect(await held('sites arrange', [site, '-', '--yes'], { stdin })).toHaveLength(1);
    await held('impact delete', ['site', site, '--no-people']);
    const { id: labs = '' } =
      ((await held('orgs list')) as { id: string; title: string }[]).find(
        ({ title }) => title === 'Acme Labs',
      ) ?? {};
    await held('impact transfer', ['space', await idOf('spaces', 'list'), '--to-org', labs, '--no-people']);
    const collection = await idOf('collections', 'list');
    await held('impact move', ['collection', collection, '--unset', 'parent', '--no-people']);
    await held('impact rename', ['site', site, '--title', 'Handbook', '--no-people']);
    await held('impact rename', ['site', site, '--proxy', 'docs.example.com/help', '--no-people']);
    expect(await held('spaces trash list')).toHaveLength(1);
    expect(await held('jobs list')).toHaveLength(2);
    await held('jobs show', ['last']);
    await held('spaces trash restore', [space?.title ?? '', '--yes']);
    const member = await idOf('members', 'list', '--role', 'read');
    writeFileSync(join(home.path, 'rows.csv'), `user,role\n${member},edit\nnobody,edit\n`);
    await held('bulk', ['members', 'update', '--from', 'rows.csv', '--yes'], { code: 3 });
    await held('jobs show', ['last']);
    await held('jobs resume', ['last'], { code: 3 });
    const [failing] = (await held('jobs list')) as { id: string }[];
    sandbox.control.faults.add({ match: 'PUT /v1/orgs/*', reset: 'after', times: 1 });
    await home.run(['teams', 'create', '--title', 'Lost'], { env: onSandbox });
    await held('jobs settle', ['last', '0', '--not-done']);
    await held('undo', [failing?.id ?? '', '--yes']);
    await held('jobs discard', [failing?.id ?? '', '--yes']);
    await held('jobs prune', ['--days', '0']);
  });

  it('about access', async () => {
    const member = await idOf('members', 'list', '--role', 'edit');
    const [space, site] = [await idOf('spaces', 'list'), await idOf('sites', 'list')];
    await held('access explain', [member, `space:${space}`]);
    await held('access explain', [member, `site:${site}`]);
    await held('access explain', [member, `collection:${await idOf('collections', 'list')}`]);
    await held('access who', [space]);
    const matrix = await held('access matrix');
    expect(matrix).toHaveLength(7 * 5);
    writeFileSync(join(home.path, 'before.json'), JSON.stringify(matrix));
    writeFileSync(join(home.path, 'after.json'), JSON.stringify(matrix).replaceAll('"edit"', '"unknown"'));
    expect(await held('impact access', ['--role', `${member}=read`])).not.toHaveLength(0);
    expect(await held('access diff', ['before.json', 'after.json'])).not.toHaveLength(0);
  });

  it('about what visitors see', async () => {
    const site = await idOf('sites', 'list');
    const none = '{"type":"object","properties":{},"additionalProperties":false}';
    expect(await held('sites schema diff', [site, none], { code: 17 })).not.toHaveLength(0);
    expect(await held('sites schema eval', [site, '--claims', '{"beta":true}'])).not.toHaveLength(0);
  });

  it('about people who are reviewed, and who leave', async () => {
    const csv = await docs('members', 'review', '--role', 'comment', '-o', 'csv');
    expect(await held('members review')).toHaveLength(7);
    writeFileSync(join(home.path, 'reviewed.csv'), csv.replace(/,,(\w+)$/m, ',role=read,$1'));
    expect(await held('members review', ['--apply', 'reviewed.csv'])).toMatchObject([{ status: 'ok' }]);
    const member = await idOf('members', 'list', '--role', 'review');
    const heir = ['--reassign-teams-to', await idOf('members', 'list', '--role', 'edit')];
    await held('members offboard', [member, ...heir, '--dry-run']);
    sandbox.control.faults.add({ match: 'DELETE /v1/orgs/*', status: 403, times: 1 });
    await held('members offboard', [member, ...heir, '--yes'], { code: 3 });
    const evidence = readdirSync(home.path).find((name) => /^offboarding-.*\.json$/.test(name)) ?? '';
    await held('members offboard', ['--resume', evidence]);
    await held('jobs show', ['last']);
  });

  it('about people who are to sign in with SSO', async () => {
    const found = (await held('sso readiness', [], { code: 17 })) as { rows: { id: string }[] };
    const [canary = '', ...rest] = found.rows.slice(0, 3).map(({ id }) => id);
    await held('sso link', [...rest, '--canary', canary, '--yes']);
  });

  it('about releases', async () => {
    const site = await idOf('sites', 'list', '--limit', '1');
    const from = await idOf('site-spaces', 'list', '--site', site, '--limit', '1');
    const words = ['2.1', '--site', site, '--from', from];
    expect(await held('sites release cut', [...words, '--yes'])).toHaveLength(6);
    expect(await held('sites release cut', [...words, '--yes'])).toEqual([]);
    await docs('undo', 'last', '--yes');
  });

  it('about stale change requests', async () => {
    const stale = await held('change-requests stale', ['--older-than', '1h', '--drafts', '--list']);
    expect(stale).not.toHaveLength(0);
    const warned = await held('change-requests stale', ['--older-than', '1h', '--drafts', '--yes']);
    expect(warned).toHaveLength((stale as unknown[]).length);
  });

  it('about backups', async () => {
    await held('backup run', ['--out', 'backup', '--dry-run']);
    await held('backup run', ['--out', 'backup']);
    await docs('teams', 'create', '--title', 'Editors');
    expect(await held('backup verify', ['backup'], { code: 17 })).toHaveLength(1);
    cpSync(join(home.path, 'backup'), join(home.path, 'later'), { recursive: true });
    await held('backup run', ['--out', 'later']);
    await held('backup run', ['--out', 'parts', '--shard', '1/1']);
    await held('backup merge', ['parts', '--out', 'joined', '--dry-run']);
    await held('backup merge', ['parts', '--out', 'joined']);
    expect(await held('backup status', ['later'])).toMatchObject({ state: 'whole', problems: [] });
    expect(await held('backup diff', ['backup', 'later'])).toHaveLength(1);
    await held('backup pack', ['backup', '--out', 'packs', '--dry-run']);
    expect(await held('backup pack', ['backup', '--out', 'packs'])).toHaveLength(5);
    expect(await held('backup search', ['backup', 'quickstart'])).not.toEqual([]);
    expect(await held('backup log', ['backup'])).toHaveLength(1);
    await held('backup run', ['--out', 'backup', '--keep', '9']);
    expect(await held('backup show', ['backup', 'latest'])).not.toHaveLength(0);
    const team = await idOf('teams', 'list', '--title', 'Writers');
    await docs('teams', 'update', team, '--title', 'Scribes');
    expect(await held('backup restore', ['backup', '--only', 'teams', '--yes'])).toHaveLength(1);
  });

  it('about plans and the organization as code', async () => {
    const team = await idOf('teams', 'list', '--limit', '1');
    await docs('teams', 'update', team, '--title', 'Authors', '--save-plan', 'plan.json');
    await held('plan show', ['plan.json']);
    expect(await held('apply', ['plan.json', '--yes'])).toMatchObject([
      { status: 'ok', key: expect.any(String) },
    ]);
    await held('pull');
    await docs('teams', 'update', team, '--title', 'Poets');
    await held('plan');
    await held('plan drift', [], { code: 17 });
    const teams = readFileSync(join(home.path, 'org', 'teams.yaml'), 'utf8');
    const key = teams
      .split('- key: ')
      .find((item) => item.includes('title: Authors'))
      ?.split('\n')[0];
    await held('plan adopt', [`teams/${key}=${team}`]);
    expect(await held('apply', ['--yes'])).toMatchObject([{ status: 'ok', item: `teams/${key}` }]);
  });

  it('about OpenAPI specs', async () => {
    const stdin = '{"openapi":"3.1.0","info":{"title":"Petstore","version":"1"},"paths":{}}';
    /** What the sandbox processes by its clock is done as soon as it has come. */
    const published = async (...flags: string[]) => {
      const before = sandbox.control.requests().length;
      const result = held('openapi publish', ['petstore', '-', ...flags], { stdin });
      const sent = () => sandbox.control.requests().slice(before);
      await expect.poll(() => sent().some(({ method }) => method !== 'GET')).toBe(true);
      await sandbox.control.clock.shift(60_000);
      return result;
    };
    await published('--create');
    await held('openapi publish', ['petstore', '-', '--skip-unchanged'], { stdin });
    await published();
    await held('openapi wait', ['petstore']);
  });

  it('about the sandbox', async () => {
    await held('sandbox status');
    await held('sandbox clock', ['+1d']);
    await held('sandbox clock');
    const failing = ['--status', '500', '--response-header', 'x=y', '--times', '1'];
    await held('sandbox fault', ['--match', '*', ...failing]);
    await held('sandbox fault', ['--match', 'GET /v1/*', '--reset', 'after']);
    await held('sandbox publish', ['Acme Docs']);
    await held('sandbox requests');
    await held('sandbox export');
    await held('sandbox reset');
    await held('sandbox seed', ['tiny']);
  });

  it('about policies, the audit and agents', async () => {
    const policy = join(home.path, 'policy.yaml');
    await held('policy init', ['--read-only', policy]);
    await held('policy explain', [policy]);
    await held('policy explain', [policy, '--all']);
    await held('policy test', ['--policy', policy, '--', 'teams', 'list']);
    await held('audit list');
    await held('audit export');
    await held('audit verify');
    await held('find', ['make', 'someone', 'an', 'admin']);
    await held('mcp skill print');
    await held('mcp skill install', ['--to', join(home.path, 'skills')]);
  });

  it('is held for each of them', async () => {
    const byHand = (await commandTree(groups)).filter(({ command }) => command.spec === undefined);
    expect(
      byHand.map(({ path }) => path).filter((path) => !checked.has(path) && !elsewhere.includes(path)),
    ).toEqual([]);
  });
});
