import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandTree, type TreeEntry } from '../../../src/cli/declare/outline.js';
import { groups } from '../../../src/commands/index.js';
import { seedId } from '../../sandbox/client.js';
import { checkEffects, effectsOf, watchEffects } from './effects.js';
import { exceptions, keptBy, needOf } from './needs.js';
import { runLine } from './run-line.js';
import { openWorld, type World } from './world.js';

/**
 * No command does to this machine what it does not declare: its examples run while files, processes and sockets are
 * watched. Of the commands over operations, which run through one pipeline, every tenth; `npm run test:all` has all.
 */

const tried = (await commandTree(groups)).filter(
  ({ command }, at) => command.spec === undefined || at % 10 === 0,
);

/** What was done of what commands declare: `auth login keeps settings`, `--html`. */
const shown = new Set<string>();

/** Of each command written by hand, the requests that its examples sent, and those it declares. */
const measured = new Map<string, { sent: Set<string>; declared: ReadonlySet<string> }>();

/** What commands over one operation sent besides it, where that was no read. */
const further = new Set<string>();

function measure({ path, command }: TreeEntry, requests: readonly string[]): void {
  if (command.anyRequest === true) return;
  const { operations, reads = [] } = command;
  const declared = new Set([...operations, ...reads].map(({ method, path: at }) => `${method} ${at}`));
  if (command.spec !== undefined) {
    for (const request of requests)
      if (!declared.has(request) && !request.startsWith('GET ')) further.add(`${path}: ${request}`);
    return;
  }
  const own = measured.get(path) ?? { sent: new Set<string>(), declared };
  for (const request of requests) own.sent.add(request);
  measured.set(path, own);
}

let world: World;
beforeAll(async () => {
  watchEffects(false);
  world = await openWorld();
});
afterAll(() => world.close());

describe('what an example does here is declared', () => {
  it.each(tried)('$path', async (entry) => {
    for (const { run } of entry.command.examples) {
      const need = needOf(run);
      if (run in exceptions || need.meanwhile !== undefined) continue;
      await world.prepare(need);
      const { env, cwd } = world;
      const { stdin } = need;
      // What a shell would redirect is no file of docs.
      const line = run.replace(/ > \S+$/, '');
      const { effects, requests } = await effectsOf(() =>
        runLine(`docs ${line}`, { cwd, env, ...(stdin !== undefined && { stdin }) }),
      );
      const { undeclared, ...found } = await checkEffects(entry, line, effects, world);
      expect({ run, undeclared }).toEqual({ run, undeclared: [] });
      measure(entry, requests);
      for (const effect of found.shown)
        shown.add(effect.startsWith('--') ? effect : `${entry.path} ${effect}`);
      const kept = keptBy(entry, run);
      if (kept !== 'all') await world.renew({ isPlatformKept: kept === 'platform' });
    }
  });
});

/** Those that do more than read, with what they do it by. */
const acting = tried.flatMap(({ path, command }) => {
  const files = command.options.flatMap(({ name, path: file }) =>
    file?.use === 'writes' ? [`--${name}`] : [],
  );
  const acts = command.effect === 'local' || command.danger !== 'read' || command.passThrough === true;
  const run = command.examples.find((one) => acts || files.some((flag) => one.run.includes(`${flag} `)))?.run;
  return run === undefined || run in exceptions || path.startsWith('policy ') ? [] : [{ run }];
});

describe('docs policy test sends only reads, starts nothing, and writes nothing but what it removes', () => {
  it.each(acting)('of docs $run', async ({ run }) => {
    const need = needOf(run);
    await world.prepare(need);
    const { cwd } = world;
    const { stdin } = need;
    // Where a policy tells organizations apart, what a command reads is tried.
    const policy = join(cwd, '..', 'organizations.yaml');
    writeFileSync(policy, `version: 1\ndefault: allow\norgs: [${seedId('org acme')}]\n`);
    const env = { ...world.env, DOCS_POLICY: policy };
    const line = `docs policy test -- ${run.replace(/ [<>|] .*$/, '')}`;
    const { effects, requests } = await effectsOf(() =>
      runLine(line, { cwd, env, ...(stdin !== undefined && { stdin }) }),
    );
    expect(requests.filter((request) => !request.startsWith('GET '))).toEqual([]);
    const lasting = effects.filter(({ is, what }) => is === 'program' || (is === 'file' && !isOwnOf(what)));
    expect(lasting).toEqual([]);
    if (need.before !== undefined) await world.renew({ isPlatformKept: false });
  });

  /** Of its own: folders that are removed, and titles for completion. */
  const isOwnOf = (path: string) =>
    /\/(?:docs-policy-|docs-pull-|docs-[^/]{6}$|docs-[^/]{6}\/)|\/\.cache(?:\/docs|$)/.test(path);
});

/** What is declared and no example here does, and why. */
const unshown: Readonly<Record<string, string>> = {
  '--editor': 'takes a terminal (test/e2e/sites-arrange-editor)',
  '--file': 'of commands that serve until they are stopped (test/e2e/sandbox)',
  '--files': 'written by calls (test/agents/mcp)',
  '--json-report': 'takes a program that runs (test/e2e/rehearse)',
  '--redirects': 'the tree of the example moves nothing (test/commands/sites)',
  '--replan': 'takes a plan that is stale (test/e2e/apply-plan)',
  '--report-file': 'of earlier versions, whose --out it is (test/e2e/links-check)',
  'apply runs git': 'where a policy approves by merging (test/e2e/approved-merges)',
  'apply contacts remote': 'where a policy approves by merging (test/e2e/approved-merges)',
  'jobs resume runs git': 'where a policy approves by merging (test/e2e/approved-merges)',
  'jobs resume contacts remote': 'where a policy approves by merging (test/e2e/approved-merges)',
  'plan approve runs ssh-keygen': 'takes a person at a terminal (test/e2e/approve)',
  'plan approve keeps journals': 'takes a person at a terminal (test/e2e/approve)',
  'auth login keeps settings': 'asks for the token on a terminal (test/e2e/terminal)',
  'auth logout keeps settings': 'no token is stored here (test/e2e/sign-in)',
  'backup run runs ssh-keygen': 'where the key has a passphrase (test/backup/ssh-signature)',
  'backup run contacts files': 'the sandbox serves files itself (test/backup)',
  'completion keeps start-up': 'asks on a terminal (test/e2e/completion)',
  'jobs discard keeps journals': 'names a job, and each has a name of its own (test/e2e/jobs-journal)',
  'jobs prune keeps journals': 'no job is that old (test/e2e/jobs-journal)',
  'open runs browser': 'there is no display (test/e2e/web)',
  'sandbox exec keeps sandbox': 'the seeds are kept in memory (test/e2e/sandbox)',
  'sandbox open keeps sandbox': 'starts a server (test/e2e/sandbox-open)',
  'sandbox open runs browser': 'starts a server (test/e2e/sandbox-open)',
  'sandbox start keeps sandbox': 'serves until it is stopped (test/e2e/sandbox)',
  'mcp skill install keeps skills': 'the example is a dry run (test/agents/skill)',
};

it('what is declared happens in an example, or is explained', () => {
  const flags = tried.flatMap(({ command }) =>
    command.options.flatMap(({ name, path }) => (path?.use === 'writes' ? [`--${name}`] : [])),
  );
  const declared = tried.flatMap(({ path, command: { here = {} } }) =>
    (['keeps', 'runs', 'contacts'] as const).flatMap((what) =>
      (here[what] ?? []).map((one) => `${path} ${what} ${one}`),
    ),
  );
  const missing = [...new Set([...flags, ...declared])].filter((effect) => !shown.has(effect));
  expect(missing.sort()).toEqual(Object.keys(unshown).sort());
});

/** These send what another command or a journal says; a page of files is no request of the API. */
const ofOthers = ['bulk', 'jobs resume', 'jobs settle', 'policy test', 'rehearse', 'undo'];

it('no example sends a request that its command does not declare', () => {
  const undeclared = [...measured].flatMap(([path, { sent, declared }]) =>
    [...sent]
      .filter((request) => request.includes(' /v1/') && !declared.has(request) && !ofOthers.includes(path))
      .map((request) => `${path}: ${request}`),
  );
  expect(undeclared.sort()).toEqual([]);
});

it('besides its request, a command over one operation only reads', () => {
  expect([...further]).toEqual([]);
});

/** How many requests a command declares and no example sends. These may only shrink. */
const unsent: Readonly<Record<string, number>> = {
  'access explain': 2,
  'access matrix': 2,
  'access who': 3,
  apply: 48,
  'auth can-i': 1,
  'backup restore': 54,
  'backup run': 2,
  'backup verify': 4,
  'change-requests inbox': 4,
  'change-requests stale': 8,
  doctor: 1,
  'impact access': 2,
  'impact delete': 14,
  'impact move': 7,
  'impact rename': 11,
  'impact transfer': 3,
  'links fix': 9,
  'links graph': 2,
  'members review': 7,
  open: 4,
  'openapi publish': 2,
  'openapi wait': 1,
  'orgs map': 1,
  overview: 2,
  'plan adopt': 1,
  'sites arrange': 17,
  'sites release cut': 2,
  'sites schema diff': 1,
  'spaces trash list': 2,
  status: 4,
};

it('what is declared is sent by an example, but for what is counted', () => {
  const more = [...measured].flatMap(([path, { sent, declared }]) => {
    const lacking = [...declared].filter((request) => !sent.has(request));
    return lacking.length > (unsent[path] ?? 0) ? [{ path, lacking }] : [];
  });
  expect(more).toEqual([]);
});
