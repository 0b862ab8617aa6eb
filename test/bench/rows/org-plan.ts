import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { type Bench, type Row, timesOf } from '../bench.js';
import type { Measured } from '../result.js';
import { type SandboxServer, withSandbox } from '../sandbox-server.js';

const concurrency = 8;
const answerMs = 20;

/**
 * The organization of 400 people as files: the whole commands, against a bare program that sends their requests and
 * reads or writes their files, from its start to its end.
 */
export const orgPlan: Row = (bench) =>
  withSandbox(bench, 'acme', async (sandbox) => {
    const [folder, files, copy] = [bench.path('org'), bench.path('bare/files'), bench.path('bare/copy')];
    const fresh = (path: string) => () => rmSync(path, { recursive: true, force: true });
    const pull = { words: ['pull', '--dir', folder], prepare: fresh(folder) };
    const pulled = await requestsOf(bench, sandbox, pull.words);
    cpSync(folder, files, { recursive: true });
    const plan = { words: ['plan', '--dir', folder], prepare: () => {} };
    const planned = await requestsOf(bench, sandbox, plan.words);
    bench.run(['sandbox', 'fault', '--file', sandbox.file, '--match', '*', '--delay', `${answerMs}ms`]);
    return [
      ...(await measured(bench, sandbox, {
        ...pull,
        what: '`docs pull`',
        sent: pulled,
        most: { ratio: 1.25, requests: 160 },
        bare: [files, copy],
        before: fresh(copy),
      })),
      ...(await measured(bench, sandbox, {
        ...plan,
        what: '`docs plan`',
        sent: planned,
        most: { ratio: 1.2, requests: 80 },
        bare: [files],
        before: () => {},
      })),
    ];
  });

interface Command {
  what: string;
  words: readonly string[];
  prepare(): void;
  sent: readonly Sent[];
  most: { ratio: number; requests: number };
  /** The folders of the bare program. */
  bare: readonly string[];
  /** Called before each run of the bare program. */
  before(): void;
}

async function measured(
  bench: Bench,
  { env, url, token }: SandboxServer,
  { what, words, prepare, sent, most, bare, before }: Command,
): Promise<Measured[]> {
  const list = bench.path('org-requests.json');
  writeFileSync(list, JSON.stringify(sent));
  const [ours = [], theirs = []] = await bench.inTurns(
    [
      bench.docs(words, { env, prepare }),
      bench.bare('requests', [list, url, token, ...bare], { prepare: before }),
    ],
    { runs: 10 },
  );
  const least = Math.ceil(sent.length / concurrency) * answerMs;
  return [
    {
      ...{ what: `${what}, 400 people and 60 spaces, answered after ${answerMs} ms` },
      against: `the ideal, a bare program with its ${sent.length} requests, ${concurrency} at once (${least} ms), and its files`,
      ...{ goal: { most: most.ratio }, ...timesOf(ours, theirs) },
    },
    {
      ...{ what: `${what}: requests`, against: `${most.requests}`, goal: { most: 1 } },
      ...{ unit: 'requests', ours: [sent.length], theirs: [most.requests] },
    },
  ];
}

export interface Sent {
  path: string;
  /** The requests whose answers name what the path names, by number. */
  after: number[];
}

/** The requests that a command sends, and which answers each of them needs. */
export async function requestsOf(
  bench: Bench,
  { file, env, url, org, token }: SandboxServer,
  words: readonly string[],
): Promise<Sent[]> {
  const log = () =>
    JSON.parse(bench.run(['sandbox', 'requests', '--file', file, '--json'])) as { path: string }[];
  const before = log().length;
  bench.run(words, env);
  const paths = log()
    .slice(before)
    .map(({ path }) => path);
  const headers = { authorization: `Bearer ${token}` };
  const answers = await Promise.all(paths.map(async (path) => (await fetch(url + path, { headers })).text()));
  return inStages(paths, answers, org);
}

/** Each id of a path has to be in an answer first: in the earliest that can be. */
function inStages(paths: readonly string[], answers: readonly string[], org: string): Sent[] {
  const ids = paths.map((path) => (path.match(/\b[A-Za-z0-9]{20}\b/g) ?? []).filter((id) => id !== org));
  const stages: number[][] = [];
  const sent = new Map<number, Sent>();
  while (sent.size < paths.length) {
    const earlier = stages.flat();
    const from = (id: string) => earlier.find((index) => answers[index]?.includes(`"${id}"`));
    const next = paths.flatMap((path, index) => {
      const after = sent.has(index) ? undefined : ids[index]?.map(from);
      if (after === undefined || after.includes(undefined)) return [];
      return [{ index, request: { path, after: after as number[] } }];
    });
    if (next.length === 0) throw new Error('No answer has the ids of the requests that are left.');
    for (const { index, request } of next) sent.set(index, request);
    stages.push(next.map(({ index }) => index));
  }
  return paths.map((_, index) => sent.get(index) as Sent);
}
