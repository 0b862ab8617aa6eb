import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, it } from 'vitest';
import { commandTree, type TreeEntry } from '../../src/cli/declare/outline.js';
import { groups } from '../../src/commands/index.js';
import { run } from '../../src/main.js';
import { addFault, clearFaults } from '../../src/sandbox/server/faults.js';
import { exceptions, needOf } from '../e2e/examples/needs.js';
import { shellLine } from '../e2e/examples/run-line.js';
import { openWorld, type World } from '../e2e/examples/world.js';
import { leaveTexts } from '../e2e/planted.js';
import { fakeIo } from '../fake-io.js';
import { StillTime } from '../still-time.js';
import { beginChance, forgetRequests, requests, takeChanged } from './chance.js';
import { idsOf } from './ids.js';
import { type Medium, type Mishap, mediaOf, mishapMedia, mishaps } from './media.js';

/**
 * Writes down what every example of the reference prints, in each medium and with each mishap, with the requests it took
 * and the files it wrote: a file a command in a folder a seed below DOCS_OUTPUTS (scripts/outputs.mjs).
 */

const folder = process.env.DOCS_OUTPUTS ?? '';
const only = process.env.DOCS_OUTPUTS_OF ?? '';
export const commands = (await commandTree(groups)).filter(({ path }) => path.startsWith(only));
export const reads = ({ command: { danger, effect } }: TreeEntry) =>
  danger === 'read' && effect === undefined;

const logDelayMs = 150;
const lateMs = 5;

/** What runs before an example has run by the time it does, however long that took. */
const laterMs = 10 * 60_000;

// Nothing that docs starts of itself may be this runner.
process.argv[1] = '/no-program';

interface Recording {
  seed: 'tiny' | 'acme';
  world: World;
  time: StillTime;
  /** A text without what is another in each recording. */
  constant(text: string): string;
}

/** @param place of its own for each call: a word for its folder, and its port */
export function record(
  seed: 'tiny' | 'acme',
  entries: readonly TreeEntry[],
  place: { name: string; port: number },
): void {
  let recording: Recording;
  let idOf: (text: string) => string;
  beforeAll(async () => {
    recording = await open(seed, place);
    idOf = await idsOf(recording.world);
    mkdirSync(join(folder, seed), { recursive: true });
    mkdirSync(join(folder, 'files'), { recursive: true });
  });
  afterAll(() => recording.world.close());

  it.each(entries)('$path', async (entry) => {
    const texts: string[] = [];
    // The log of requests is written a moment later; one command lists it.
    await wait(logDelayMs);
    recording.world.db.write(() => recording.world.db.run('DELETE FROM local_requests'));
    for (const [line, medium, mishap] of runsOf(seed, entry)) {
      texts.push(await recorded(recording, idOf(line), medium, mishap), '');
      recording.time.set(0);
      const isChanged = takeChanged() || actsOnSandbox(entry, line);
      await recording.world.renew({ isPlatformKept: !isChanged });
    }
    const name = `${entry.path.replaceAll(' ', '-')}.txt`;
    if (texts.length > 0) writeFileSync(join(folder, seed, name), texts.join('\n'));
  });
}

/** Paths of the same length in every recording: a table is cut by the width of what is in it. */
async function open(seed: 'tiny' | 'acme', { name, port: first }: { name: string; port: number }) {
  // Some weeks after the seeds, so that what is read has an age.
  const time = new StillTime('2026-02-02T09:00:00Z');
  const at = claim(`/tmp/docs-record-${name}`);
  const port = first + at;
  const root = `/tmp/docs-record-${name}-${at}`;
  beginChance('world');
  const world = await openWorld({
    ...{ seed, root, port },
    change(db) {
      if (seed === 'acme') leaveTexts(db, []);
      db.run("UPDATE local_tokens SET token = 'sbx_of_' || replace(name, '-', '_')");
      // Addresses of files are signed.
      db.run("UPDATE local_state SET value = 'secret' WHERE key = 'download_secret'");
    },
    clock: (since) => time.clock(since),
  });
  const own = new RegExp(`(?<=pid |-)${process.pid}\\b`, 'g');
  const constant = (text: string) =>
    text
      .replaceAll(root, '/world')
      .replaceAll(`:${port}`, ':PORT')
      .replaceAll(own, 'PID')
      // Counted by the server, over all that ran before.
      .replaceAll(/\breq_\d+_\d+\b/g, 'req_N');
  return { seed, world, time, constant };
}

/** Makes the first of some folders that is not there: another recording may be under way. */
function claim(path: string, at = 0): number {
  try {
    mkdirSync(`${path}-${at}`);
    return at;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || at > 8) throw error;
    return claim(path, at + 1);
  }
}

/** Commands of the sandbox change it without a request, as do those that an example needs before it. */
function actsOnSandbox({ path }: TreeEntry, line: string): boolean {
  const { before = [] } = needOf(line);
  const isOwn = path.startsWith('sandbox ') || line.includes('--sandbox');
  return isOwn || before.some((step) => typeof step === 'string' && step.startsWith('docs sandbox '));
}

type Run = [line: string, medium: Medium, mishap?: Mishap];

/** What is recorded of a command. */
function runsOf(seed: 'tiny' | 'acme', { command }: TreeEntry): Run[] {
  const lines = command.examples
    .map((example) => example.run)
    .filter((line, index) => isRecorded(seed, line, index));
  const [first] = lines;
  const well = lines.flatMap((line) => mediaOf(seed, command).map((medium): Run => [line, medium]));
  if (first === undefined || seed === 'acme') return well;
  const wrong = mishaps.filter(({ id }) => id === undefined || anyId.test(first));
  return [...well, ...wrong.flatMap((mishap) => mishapMedia.map((medium): Run => [first, medium, mishap]))];
}

/** Not what takes a second program; of a large organization, the first of a command, unless it takes others before it. */
function isRecorded(seed: 'tiny' | 'acme', line: string, index: number): boolean {
  const { again, meanwhile, before } = needOf(line);
  if (line in exceptions || again !== undefined || meanwhile !== undefined) return false;
  return seed === 'tiny' || (before === undefined && index === 0);
}

/** What waits for something that never comes, such as a watch of a platform that fails, is interrupted. */
const patienceMs = 60_000;

const anyId = /\b[A-Za-z0-9]{20}\b/;

/** One run: what was typed, what it printed, how it ended, what it asked of the platform, what files it left. */
async function recorded(
  { world, time, constant }: Recording,
  line: string,
  medium: Medium,
  mishap: Mishap = { name: '' },
): Promise<string> {
  const { env, status, id } = mishap;
  const typed = id === undefined ? line : line.replaceAll(new RegExp(anyId, 'g'), id);
  const words = [...medium.words, ...(mishap.words ?? [])];
  time.set(0);
  beginChance('before');
  await world.prepare(needOf(line));
  time.set(laterMs);
  beginChance('example');
  const before = filesBelow(world);
  if (status !== undefined) world.db.write(() => addFault(world.db, { match: '*', status }));
  forgetRequests();
  const ran = await runOnce(world, typed, { ...medium, words }, time, env);
  // Requests that were under way as it failed come in late.
  if (mishap.name !== '') await wait(lateMs);
  const asked = requests();
  if (status !== undefined) world.db.write(() => clearFaults(world.db));
  const written = [...filesBelow(world)].filter(([name, mark]) => before.get(name) !== mark);
  return constant(
    [
      `$ docs ${[typed, ...words].join(' ')}  # ${[medium.name, mishap.name].filter(Boolean).join(', ')}`,
      `exit ${ran.code}`,
      ...labelled('out', ran.stdout),
      ...labelled('err', ran.stderr),
      ...asked.map((request) => `ask ${request}`),
      ...written.map(([name]) => {
        const text = constant(readFileSync(join(world.cwd, name), 'latin1'));
        return `file ${name} ${keep(name.endsWith('answers.ndjson') ? inOrder(text) : text)}`;
      }),
    ].join('\n'),
  );
}

/** The answers of a part, which come in any order, and without the hash over that. */
const inOrder = (text: string) =>
  text
    .split('\n')
    .map((line) => line.replace(/"sha256":"[0-9a-f]{64}"/, '"sha256":"…"'))
    .sort()
    .join('\n');

const labelled = (label: string, text: string): string[] =>
  text === ''
    ? []
    : visible(text)
        .split('\n')
        .map((line) => `${label} ${line}`);

const visible = (text: string) => text.replaceAll('\x1b', '␛').replaceAll('\r', '␍');

/** Keeps the text of a file beside the recordings. @returns its name there */
function keep(text: string): string {
  const mark = createHash('sha256').update(text).digest('hex').slice(0, 12);
  writeFileSync(join(folder, 'files', mark), text, 'latin1');
  return mark;
}

async function runOnce(
  { cwd, env }: World,
  line: string,
  { words, columns }: Medium,
  time: StillTime,
  more: Mishap['env'] = {},
) {
  const split = shellLine(`docs ${line}`, env.HOME ?? '');
  const stdin = split.from === undefined ? needOf(line).stdin : readFileSync(join(cwd, split.from), 'utf8');
  const io = fakeIo({
    cwd,
    env: { ...env, TERM: 'xterm-256color', DOCS_PAGER: 'cat', ...more },
    ...(stdin !== undefined && { stdin }),
    ...(columns !== undefined && { terminals: ['stdout', 'stderr'], columns }),
  });
  const tooLong = setTimeout(() => io.abort(new Error('SIGINT')), patienceMs);
  const code = await run([...split.words.slice(1), ...words], Object.assign(io, time.clock()));
  clearTimeout(tooLong);
  return { code, stdout: io.stdout.text, stderr: io.stderr.text };
}

/** The files of the working folder, each with what changes when it is written. */
function filesBelow({ cwd }: World): Map<string, string> {
  const names = readdirSync(cwd, { recursive: true, encoding: 'utf8' }).sort();
  return new Map(
    names.flatMap((name) => {
      const stats = statSync(join(cwd, name), { bigint: true, throwIfNoEntry: false });
      return stats?.isFile() ? [[name, `${stats.mtimeNs} ${stats.size}`] as const] : [];
    }),
  );
}
