import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandTree } from '../../../src/cli/declare/outline.js';
import { groups } from '../../../src/commands/index.js';
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
      const seen = await effectsOf(() =>
        runLine(`docs ${line}`, { cwd, env, ...(stdin !== undefined && { stdin }) }),
      );
      const { undeclared, ...found } = await checkEffects(entry, line, seen, world);
      expect({ run, undeclared }).toEqual({ run, undeclared: [] });
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

describe('docs policy test starts nothing, and writes nothing but what it removes', () => {
  it.each(acting)('of docs $run', async ({ run }) => {
    const need = needOf(run);
    await world.prepare(need);
    const { env, cwd } = world;
    const { stdin } = need;
    const line = `docs policy test -- ${run.replace(/ [<>|] .*$/, '')}`;
    const seen = await effectsOf(() => runLine(line, { cwd, env, ...(stdin !== undefined && { stdin }) }));
    const lasting = seen.filter(({ is, what }) => is === 'program' || (is === 'file' && !isOwnOf(what)));
    expect(lasting).toEqual([]);
    if (need.before !== undefined) await world.renew({ isPlatformKept: false });
  });

  /** Of its own: the folder of a plan that is removed, and titles for completion. */
  const isOwnOf = (path: string) =>
    /\/(?:docs-policy-|docs-[^/]{6}$|docs-[^/]{6}\/)|\/\.cache(?:\/docs|$)/.test(path);
});

/** What is declared and no example here does, and why. */
const unshown: Readonly<Record<string, string>> = {
  '--editor': 'takes a terminal (test/e2e/sites-arrange-editor)',
  '--file': 'of commands that serve until they are stopped (test/e2e/sandbox)',
  '--files': 'written by calls (test/agents/mcp)',
  '--json-report': 'takes a program that runs (test/e2e/rehearse)',
  '--redirects': 'the tree of the example moves nothing (test/commands/sites)',
  '--replan': 'takes a plan that is stale (test/e2e/apply-plan)',
  'apply runs git': 'where a policy approves by merging (test/e2e/approved-merges)',
  'apply contacts remote': 'where a policy approves by merging (test/e2e/approved-merges)',
  'jobs resume runs git': 'where a policy approves by merging (test/e2e/approved-merges)',
  'jobs resume contacts remote': 'where a policy approves by merging (test/e2e/approved-merges)',
  'approve runs ssh-keygen': 'takes a person at a terminal (test/e2e/approve)',
  'approve keeps journals': 'takes a person at a terminal (test/e2e/approve)',
  'auth login keeps settings': 'asks for the token on a terminal (test/e2e/terminal)',
  'auth logout keeps settings': 'no token is stored here (test/e2e/sign-in)',
  'backup run runs ssh-keygen': 'where the key has a passphrase (test/backup/ssh-signature)',
  'backup run contacts files': 'the sandbox serves files itself (test/backup)',
  'completion keeps start-up': 'asks on a terminal (test/e2e/completion)',
  'jobs discard keeps journals': 'names a job, and each has a name of its own (test/e2e/jobs-journal)',
  'jobs prune keeps journals': 'no job is that old (test/e2e/jobs-journal)',
  'open runs browser': 'there is no display (test/e2e/web)',
  'sandbox exec keeps sandbox': 'the seeds are kept in memory (test/e2e/sandbox)',
  'sandbox open keeps sandbox': 'takes a server that was started (test/e2e/sandbox-open)',
  'sandbox open runs browser': 'takes a server that was started (test/e2e/sandbox-open)',
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
