import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { Command } from '../../src/cli/declare/command.js';
import { commandTree } from '../../src/cli/declare/tree.js';
import { groups } from '../../src/commands/index.js';
import { run } from '../../src/main.js';
import { exceptions, needOf } from '../e2e/examples/needs.js';
import { shellLine } from '../e2e/examples/run-line.js';
import { openWorld, type World } from '../e2e/examples/world.js';
import { shortestDeadlineMs, sleepHere } from '../e2e/here.js';
import { fakeIo } from '../fake-io.js';
import { sameIn } from './ids.js';
import { type Medium, type Mishap, mediaOf, mishaps } from './media.js';

/**
 * Writes down what every example of the reference says, in each medium and with each mishap, on both seeds, with the
 * requests it took and the files it wrote: a file a command in the folder DOCS_OUTPUTS (scripts/outputs.mjs). Clock,
 * randomness and ids are the same in each run, so two recordings differ where the program does.
 */

const folder = process.env.DOCS_OUTPUTS ?? '';
const only = process.env.DOCS_OUTPUTS_OF ?? '';
const commands = (await commandTree(groups)).filter(({ path }) => path.startsWith(only));

describe.each(['tiny', 'acme'])('on the seed %s', (seed) => {
  let world: World;
  let idOf: (text: string) => string;
  beforeAll(async () => {
    world = await openWorld({ seed, io: clock() });
    idOf = await sameIn(world);
  });
  afterAll(() => world.close());

  it.each(commands)('$path', async ({ path, command }) => {
    const said: string[] = [];
    const record = async (line: string, medium: Medium, mishap?: Mishap) => {
      said.push(await recorded(world, idOf(line), medium, mishap), '');
      if (!reads(command)) await world.renew();
    };
    const examples = command.examples.map((example) => example.run).filter((line) => !(line in exceptions));
    for (const line of examples) for (const medium of mediaOf(command)) await record(line, medium);
    for (const mishap of mishaps)
      if (examples[0] !== undefined)
        for (const medium of mediaOf(command).slice(0, 4)) await record(examples[0], medium, mishap);
    if (reads(command)) await world.renew();
    mkdirSync(join(folder, seed), { recursive: true });
    writeFileSync(join(folder, seed, `${path.replaceAll(' ', '-')}.txt`), said.join('\n'));
  });
});

const reads = ({ danger, effect }: Command) => danger === 'read' && effect === undefined;

/** One run: what was typed, what it said, how it ended, what it asked of the platform, what files it left. */
async function recorded(world: World, line: string, medium: Medium, mishap: Mishap = { name: '' }) {
  const { words = [], env, status, id } = mishap;
  const typed = id === undefined ? line : line.replaceAll(/\b[A-Za-z0-9]{20}\b/g, id);
  await world.prepare(needOf(line));
  const [before, filesBefore] = [world.control.requests().length, filesBelow(world)];
  if (status !== undefined) world.control.faults.add({ match: '*', status });
  const ran = await runOnce(world, typed, { ...medium, words: [...medium.words, ...words] }, env);
  if (status !== undefined) world.control.faults.clear();
  const requests = world.control.requests().slice(before);
  return world.withoutPaths(
    [
      `$ docs ${typed} ${[...medium.words, ...words].join(' ')}  # ${[medium.name, mishap.name].filter(Boolean).join(', ')}`,
      `exit ${ran.code}`,
      ...labelled('out', ran.stdout),
      ...labelled('err', ran.stderr),
      ...requests.map(({ method, path, status: answer }) => `ask ${method} ${path} ${answer}`).sort(),
      ...[...filesBelow(world)]
        .filter(([name, mark]) => filesBefore.get(name) !== mark)
        .map(([name, mark]) => `file ${name} ${mark}`),
    ].join('\n'),
  );
}

const labelled = (label: string, text: string): string[] =>
  text === '' ? [] : text.split('\n').map((line) => `${label} ${line}`);

async function runOnce(world: World, line: string, { words, columns }: Medium, more: Mishap['env'] = {}) {
  const { cwd } = world;
  const split = shellLine(`docs ${line}`, world.env.HOME ?? '');
  const stdin = split.from === undefined ? needOf(line).stdin : readFileSync(join(cwd, split.from), 'utf8');
  const io = fakeIo({
    ...{
      cwd,
      env: { ...world.env, TERM: 'xterm-256color', DOCS_PAGER: 'cat', ...more },
    },
    ...(stdin !== undefined && { stdin }),
    ...(columns !== undefined && { terminals: ['stdout', 'stderr'], columns }),
  });
  const code = await run([...split.words.slice(1), ...words], Object.assign(io, clock()));
  return { code, stdout: io.stdout.text, stderr: io.stderr.text };
}

/** A clock that begins with the sandbox's seeds and moves by what is slept alone. */
function clock() {
  let nowMs = Date.parse('2026-01-05T09:00:00Z');
  return {
    now: () => nowMs,
    sleep: (ms: number, signal?: AbortSignal) => {
      if (ms < shortestDeadlineMs) nowMs += ms;
      return sleepHere(ms, signal);
    },
  };
}

/** The files of a folder, each with the mark of its content, under which the text is kept beside the recordings. */
function filesBelow({ cwd, withoutPaths }: World): Map<string, string> {
  const kept = join(folder, 'files');
  mkdirSync(kept, { recursive: true });
  const names = readdirSync(cwd, { recursive: true, encoding: 'utf8' }).sort();
  const files = names.filter((name) => statSync(join(cwd, name), { throwIfNoEntry: false })?.isFile());
  return new Map(
    files.map((name) => {
      const text = withoutPaths(readFileSync(join(cwd, name), 'latin1'));
      const mark = createHash('sha256').update(text).digest('hex').slice(0, 12);
      writeFileSync(join(kept, mark), text, 'latin1');
      return [name, mark];
    }),
  );
}
