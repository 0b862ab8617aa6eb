import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandTree, type TreeEntry } from '../../../src/cli/declare/outline.js';
import { groups } from '../../../src/commands/index.js';
import { seedId } from '../../sandbox/client.js';
import type { SomeOf } from '../../some-of.js';
import { exceptions, needOf } from './needs.js';
import { type RanLine, runLine } from './run-line.js';
import { openWorld, type World } from './world.js';

/** What `docs policy test` says of an example, and what happens to it under the same policies. */

type Policies = Readonly<Record<string, string>>;

const alone: Policies = {
  'only reads': 'allow: [read]',
  'reads and files': 'allow: [read, files, "backup *"]',
  'some groups': 'allow: [read, "teams *", "members *", "bulk *", "spaces update"]',
  'asks about what cannot be undone': 'default: allow\nask: ["* undo=none"]',
  'asks about deletions': 'default: allow\nask: ["* danger=confirm"]',
  'asks about exposure': 'default: allow\nask: ["* exposes=any"]',
  'reads by their names': 'allow: ["* danger=change", "spaces *", "change-requests *"]',
  'no reads of teams': 'default: allow\ndeny: ["teams members *", "teams get"]',
  'no reads of spaces and members': 'default: allow\ndeny: ["spaces get", "members get", "members list"]',
  'no deletions': 'default: allow\ndeny: ["* danger=type-title", "members delete", "teams members update"]',
  'no files': 'default: allow\ndeny: [files]',
  'no programs': 'default: allow\ndeny: [programs]',
  'one write a run': 'default: allow\nbudget: { writes: 1/run }',
  'one deletion a day': 'default: allow\nbudget: { deletes: 1/day, writes: 3/hour }',
  'another organization': `default: allow\norgs: [${seedId('org labs')}]`,
  'protected things': 'default: allow\nprotect: ["space:Welcome", "team:Writers", "site:Docs"]',
};

/** A policy of the machine, and one of a person beside it. */
const pairs: Readonly<Record<string, Policies>> = Object.fromEntries(
  [
    ['no deletions', 'asks about what cannot be undone'],
    ['asks about exposure', 'some groups'],
    ['protected things', 'one write a run'],
    ['asks about deletions', 'asks about exposure'],
  ].map((names) => {
    const texts = names.flatMap((name) => [[name, alone[name] ?? '']]);
    return [names.join(', and '), Object.fromEntries(texts)];
  }),
);

/** By name, the policies that are in force together. */
const policies: Readonly<Record<string, Policies>> = {
  ...Object.fromEntries(Object.entries(alone).map(([name, text]) => [name, { [name]: text }])),
  ...pairs,
};

/** What `docs auth can-i <command>` says of a command that is held. */
const answer = /error: (?:policy denies )?docs (?!auth can-i)[a-z -]+ (?:\(|requires an approved plan \()/;

/** `deny`, `ask` or `allow`, as the error says; what else goes wrong was allowed. */
function verdictIn({ code, stderr }: RanLine, path?: string): 'deny' | 'ask' | 'allow' {
  const text = stderr.replaceAll(/\s+/g, ' ');
  // What it answers is the verdict on the command that it names.
  if (path === 'auth can-i' && answer.test(text)) return 'allow';
  if (code === 17 && text.includes('requires an approved plan (')) return 'ask';
  if (code !== 5 || !/policy denies/i.test(text)) return 'allow';
  return text.includes(': it requires an approved plan (') ? 'ask' : 'deny';
}

/** Serve until they are stopped, or start docs again. */
const notRun = /^(?:sandbox (?:start|stop|exec)|mcp serve|policy |rehearse)/;

/** What only reads is allowed as a whole, unless a policy tells reads apart. */
function changes(path: string, { danger, effect, options }: TreeEntry['command']): boolean {
  const writes = options.some(({ path: file }) => file?.use === 'writes');
  return danger !== 'read' || effect === 'local' || writes || path === 'api';
}

/** @param pick which examples are tried @param isWhole whether under every policy */
export async function holdVerdicts(pick: SomeOf, isWhole = false): Promise<void> {
  const tree = await commandTree(groups);
  const examples = tree.flatMap(({ path, command }) =>
    command.examples
      .map(({ run }) => ({ path, command, run }))
      .filter(
        ({ run }) =>
          !(run in exceptions) &&
          needOf(run).meanwhile === undefined &&
          !notRun.test(path) &&
          // Its own conditions stop it before a policy is asked.
          !/ --if-/.test(run),
      ),
  );
  const kindOf = ({ path, command }: Pick<TreeEntry, 'path' | 'command'>) =>
    command.spec === undefined ? path : `${command.danger} ${command.operations[0]?.method}`;
  const tellsReads = (name: string) => /reads (?:of|by)|another organization/.test(name);
  // Each policy has its share of the examples, unless all are tried.
  const shares = Object.keys(policies).map((name, at) => {
    const own = examples.filter(({ path, command }) => tellsReads(name) || changes(path, command));
    return isWhole ? own : pick(own, kindOf).filter((__, nth) => nth % Object.keys(policies).length === at);
  });

  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());

  const run = (line: string, files: readonly string[], stdin: string | undefined) =>
    runLine(line, {
      cwd: world.cwd,
      env: { ...world.env, DOCS_POLICY: files.at(-1) ?? '' },
      systemPolicies: files.slice(0, -1),
      ...(stdin !== undefined && { stdin }),
    });

  describe.each(
    Object.entries(policies).map(([name, texts], at) => ({ name, texts, share: shares[at] ?? [] })),
  )('docs policy test, under a policy: $name', ({ texts, share }) => {
    it.each(share)('docs $run', async ({ path, run: example }) => {
      const need = needOf(example);
      const line = example.replace(/ > \S+$/, '');
      const files = Object.entries(texts).map(([name, text]) => {
        const file = join(world.cwd, '..', `${name.replaceAll(' ', '-')}.yaml`);
        writeFileSync(file, `version: 1\n${text}\n`);
        return file;
      });
      await world.prepare(need);
      const { stdin } = need;
      const said = await run(`docs policy test -- ${line}`, files, stdin);
      const happened = await run(`docs ${line}`, files, stdin);
      await world.renew({ isPlatformKept: false });
      expect(verdictIn(said), `${said.stderr}\n${happened.stderr}`).toBe(verdictIn(happened, path));
    });
  });
}
