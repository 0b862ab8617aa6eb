import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { opened } from '../opened.js';
import { seedId } from '../sandbox/client.js';
import { openGateWorld } from './gate-world.js';

/** What policies say of effects on this machine: the words `read`, `files` and `programs`. */

const world = opened(openGateWorld);
beforeEach(() => world.reset());

const org = ['--org', seedId('org acme')];
const page = (name: string) => ['access', 'matrix', ...org, '--html', name];
const at = (name: string) => join(world.home, name);
const read = 'allow: [read]\n';

/** Whether a policy denies it, and whether that was before anything was sent. */
async function denied(words: readonly string[], policy: string) {
  const { code, error, sent } = await world.run(words, policy);
  if (code === 5) expect([error?.code, sent]).toEqual(['policy_denied', []]);
  return code === 5 ? error?.message : undefined;
}

describe('files, under read:', () => {
  it('a new one below the working directory is output', async () => {
    mkdirSync(at('reports'));
    for (const name of ['page.html', './reports/page.html', at('absolute.html'), 'made/page.html'])
      expect([name, await denied(page(name), read)]).toEqual([name, undefined]);
    expect(existsSync(at('reports/page.html'))).toBe(true);
  });

  it('none is replaced, not even with --yes', async () => {
    writeFileSync(at('notes.html'), 'mine');
    expect(await denied([...page('notes.html'), '--yes'], read)).toMatch(
      /^policy denies replacing notes\.html: no rule allows it \("default: deny", .*policy\.yaml:\d+\); nothing was written or run$/,
    );
    expect(readFileSync(at('notes.html'), 'utf8')).toBe('mine');
  });

  it('none is written elsewhere, whatever the path looks like', async () => {
    const elsewhere = `${world.home}-elsewhere`;
    mkdirSync(elsewhere);
    symlinkSync(elsewhere, at('inside'));
    for (const name of [`${elsewhere}/page.html`, '../page.html', 'inside/page.html', 'none/../../page.html'])
      expect([name, await denied(page(name), read)]).toEqual([
        name,
        expect.stringContaining(`writing ${name}`),
      ]);
    rmSync(elsewhere, { recursive: true });
  });

  it('no directory is filled', async () => {
    const parts = ['access', 'matrix', ...org, '--shard', '1/2', '--parts', 'parts'];
    expect(await denied(parts, read)).toContain('writing into parts');
    expect(await denied(parts, 'allow: [read, files]\n')).toBeUndefined();
  });

  it('a plan is saved, and not over another file', async () => {
    const plan = (...more: string[]) => [
      'teams',
      'create',
      '--title',
      'Press',
      ...org,
      '--save-plan',
      'p.json',
      ...more,
    ];
    expect(await denied(plan(), read)).toBeUndefined();
    expect(await denied(plan('--yes'), read)).toContain('replacing p.json');
  });

  it('the sandbox exempts requests, not files', async () => {
    const words = ['schema', 'rehearsal'];
    expect((await world.run(words, read)).code).toBe(0);
    const sandboxed = [
      '--sandbox',
      'teams',
      'create',
      '--title',
      'Press',
      '--save-plan',
      `${world.home}-p.json`,
    ];
    expect(await denied(sandboxed, read)).toContain(`writing ${world.home}-p.json`);
  });

  it('nor the folder that a policy keeps its ledger in', async () => {
    mkdirSync(at('ledger'));
    const words = ['--sandbox', 'teams', 'create', '--title', 'Press', '--save-plan', 'ledger/audit.jsonl'];
    const { code, error } = await world.run(words, `allow: [read, files]\nstate: ${at('ledger')}\n`);
    expect([code, error?.code]).toEqual([2, 'own_file']);
  });

  it('a baseline that is only read is not written', async () => {
    const check = (...more: string[]) => ['links', 'check', ...org, '--baseline', 'base.json', ...more];
    writeFileSync(at('base.json'), '{ "format": "docs-link-baseline/1", "findings": [] }\n');
    expect(await denied(check(), read)).toBeUndefined();
    expect(await denied(check('--update-baseline'), read)).toContain('replacing base.json');
  });
});

describe('files are written', () => {
  it.each([
    ['where the policy says files', 'allow: [read, files]\n'],
    ['where it names the command', 'allow: [read, access matrix]\n'],
    ['where it allows everything', 'default: allow\n'],
  ])('%s', async (_, policy) => {
    const elsewhere = `${world.home}-page.html`;
    expect(await denied(page(elsewhere), policy)).toBeUndefined();
    expect(await denied(page(elsewhere), policy)).toBeUndefined();
    expect(existsSync(elsewhere)).toBe(true);
    rmSync(elsewhere);
  });

  it('nowhere where a rule denies files, and never in place of what a policy owns', async () => {
    const policy = 'default: allow\ndeny: [files]\n';
    expect(await denied(page('new.html'), policy)).toContain('a rule denies it ("files"');
    const own = await world.run(page('policy.yaml'), 'allow: [read, files]\n');
    expect([own.code, own.error?.code]).toEqual([2, 'own_file']);
  });

  it('by a command that writes directories, where files or its name is allowed', async () => {
    const pull = ['pull', ...org, '--dir', 'org'];
    expect(await denied(pull, read)).toContain('docs pull');
    for (const policy of ['allow: [read, files]\n', 'allow: [read, pull]\n'])
      expect(await denied(pull, policy)).toBeUndefined();
    expect(existsSync(at('org/org.yaml'))).toBe(true);
  });

  it('as the evidence that a plan completes, under the rules of the command that began it', async () => {
    const policy = 'allow: [read, "members *", "teams *"]\n';
    const plan = [
      'members',
      'offboard',
      'bruno@acme.example',
      '--reassign-teams-to',
      'deniz@acme.example',
      ...org,
      '--yes',
      '--save-plan',
      'p.json',
    ];
    const planned = await world.run(plan, policy);
    expect({ code: planned.code, error: planned.error?.message }).toEqual({ code: 0, error: undefined });
    const applied = await world.run(['apply', 'p.json', '--yes'], policy);
    expect({ code: applied.code, error: applied.error?.message }).toEqual({ code: 0, error: undefined });
    const [json = ''] = readdirSync(world.home).filter((name) => /^offboarding-.*\.json$/.test(name));
    expect(JSON.parse(readFileSync(at(json), 'utf8'))).toMatchObject({ state: 'complete' });
  });

  it('but settings are not, by that word', async () => {
    for (const words of [
      ['config', 'set', 'org', 'o1'],
      ['auth', 'logout'],
      ['jobs', 'prune'],
      ['mcp', 'skill', 'install', '--yes'],
    ])
      expect(await denied(words, 'allow: [read, files, programs]\n')).toContain(
        `docs ${words[0]} ${words[1]}`,
      );
  });
});

describe('programs', () => {
  const script = ['rehearse', '--from', 'none', '--script', 'run.sh'];
  it('of the caller take the word or the name of the command', async () => {
    writeFileSync(at('run.sh'), 'true\n');
    expect(await denied(script, read)).toContain('docs rehearse');
    expect(await denied(script, 'allow: [read, files]\n')).toContain('docs rehearse');
    expect(await denied(script, 'allow: [read, programs]\n')).toBeUndefined();
    expect(await denied(script, 'allow: [read, rehearse]\n')).toBeUndefined();
    expect(await denied(script, 'default: allow\ndeny: [programs]\n')).toContain('docs rehearse');
  });

  it('an editor is refused, with how to do without it', async () => {
    const words = ['collections', 'update', seedId('collection product'), '--editor'];
    const io = { terminals: ['stdin', 'stdout', 'stderr'], env: { EDITOR: 'no-such-editor' } } as const;
    const { code, error, writes } = await world.run(words, 'allow: [read, "collections *"]\n', io);
    expect({ code, writes, error: error?.code }).toEqual({ code: 5, writes: [], error: 'policy_denied' });
    expect(error?.message).toMatch(
      /^policy denies running the editor no-such-editor: .*; nothing was written or run\. Pass --description .*instead\.$/,
    );
  });

  it('a browser is not started: the address is printed', async () => {
    const { code, stdout, stderr } = await world.run(['open', 'space', seedId('space welcome')], read, {
      env: { DISPLAY: ':0' },
    });
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining('a policy does not allow programs'),
    });
    expect(stdout).toContain('http');
  });
});

describe('docs policy test says what it is of', () => {
  const verdicts = async (words: readonly string[]) => {
    const { stdout } = await world.run(['policy', 'test', '--', ...words], read);
    return (JSON.parse(stdout) as { what: string; verdict: string }[]).map(
      ({ what, verdict }) => `${verdict} ${what}`,
    );
  };

  it('each file that would be replaced or stands elsewhere', async () => {
    writeFileSync(at('notes.html'), 'mine');
    expect(await verdicts(page('notes.html'))).toEqual([
      'allow docs access matrix',
      'deny replacing notes.html',
    ]);
    expect(await verdicts(page('../x.html'))).toEqual(['allow docs access matrix', 'deny writing ../x.html']);
    expect(await verdicts(page('new.html'))).toEqual(['allow docs access matrix']);
    expect(existsSync(at('new.html'))).toBe(false);
  });

  it('each program that a flag starts', async () => {
    const edited = ['comments', 'create', '--space', seedId('space welcome'), '--editor'];
    const found = await world.run(['policy', 'test', '--', ...edited], 'allow: [read, "comments *"]\n');
    expect(found).toMatchObject({ code: 5, error: { code: 'policy_would_deny' } });
    expect(JSON.parse(found.stdout)).toMatchObject([
      { what: 'docs comments create', verdict: 'allow' },
      { what: 'running an editor', verdict: 'deny' },
    ]);
    // Nothing is run to find out what would be sent.
    const env = { VISUAL: `touch ${at('ran')}` };
    const allowed = await world.run(['policy', 'test', '--', ...edited], 'default: allow\n', { env });
    expect([allowed.code, existsSync(at('ran'))]).toEqual([0, false]);
    const shown = ['spaces', 'get', seedId('space welcome'), '--web'];
    expect(await verdicts(shown)).toEqual(['allow docs spaces get', 'deny running a browser']);
  });
});
