import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect } from 'vitest';
import { operationAt } from '../../../src/api/resources/index.js';
import { misfitOf } from '../../../src/api/validate.js';
import { isObject } from '../../../src/base/values.js';
import { seedId } from '../../sandbox/client.js';
import { type AccessWorld, person, space } from '../access-world.js';

/** What the commands do with answers that lack fields or hold other types. */

const team = seedId('team writers');
const site = seedId('site docs');
const collection = seedId('collection product');

/** By how they tell what is not known: with an exit code, or in what they print. */
const commands: readonly { words: readonly string[]; tells: 'exit' | 'text' }[] = [
  ...[
    ['access', 'explain', person('chiara'), space('guide')],
    ['access', 'explain', person('chiara'), collection],
    ['access', 'explain', person('chiara'), site],
    ['access', 'who', space('guide')],
    ['access', 'matrix', '-o', 'csv'],
    ['access', 'matrix', '--collection', collection, '--json'],
    ['access', 'what-if', '--role', `${person('chiara')}=read`],
    ['access', 'what-if', '--delete-team', team],
    ['access', 'what-if', '--level', `${space('guide')}=read`],
    ['sso', 'readiness'],
    ['impact', 'delete', 'space', space('guide')],
    ['impact', 'delete', 'site', site],
    ['impact', 'delete', 'collection', collection],
    ['impact', 'delete', 'team', team],
    ['impact', 'delete', 'member', person('chiara')],
    ['impact', 'move', 'space', space('guide'), '--parent', seedId('collection internal')],
    ['impact', 'rename', 'site', site, '--basename', 'handbook'],
    ['impact', 'transfer', 'space', space('guide'), '--to-org', seedId('org labs')],
    ['links', 'graph', '--by', 'page', '--json'],
    ['links', 'graph', '-o', 'dot'],
  ].map((words) => ({ words, tells: 'exit' as const })),
  ...[
    ['sso', 'link', person('chiara'), '--dry-run'],
    ['spaces', 'delete', space('guide'), '--dry-run'],
    ['collections', 'delete', collection, '--dry-run'],
    ['sites', 'delete', site, '--dry-run'],
    ['teams', 'delete', team, '--dry-run'],
    ['spaces', 'delete', space('guide'), '--save-plan', 'plan.json'],
  ].map((words) => ({ words, tells: 'text' as const })),
];

const kinds = [
  ...(['drop', 'null', 'type', 'self', 'word', 'null-item'] as const),
  ...(['duplicate', 'truncate', 'array', 'text', 'loop'] as const),
];

interface Damage {
  kind: (typeof kinds)[number];
  /** Which item of a list and which of its fields, counted round. */
  item: number;
  field: number;
}

const draw = fc.record({
  request: fc.nat(200),
  damage: fc.record<Damage>({ kind: fc.constantFrom(...kinds), item: fc.nat(50), field: fc.nat(60) }),
});

/** How many runs met a damage, and how many of these lacked something that was declared. */
interface Met {
  damaged: number;
  lacking: number;
}

/** @param some how many runs each command has */
export async function nothingCrashes(
  world: AccessWorld,
  { numRuns, seed }: { numRuns: number; seed: number },
): Promise<Met> {
  const met: Met = { damaged: 0, lacking: 0 };
  for (const [at, command] of commands.entries())
    await fc.assert(crashesNot(world, command, met), { numRuns, seed: seed + at });
  return met;
}

function crashesNot(world: AccessWorld, { words, tells }: (typeof commands)[number], met: Met) {
  let reads: string[] | undefined;
  return fc.asyncProperty(draw, async ({ request, damage }) => {
    reads ??= await readsOf(world, words);
    const known = reads;
    const line = known[request % known.length];
    let lacks = false;
    let done = false;
    world.gateway.rewrite = (sent, text) => {
      if (sent !== line) return text;
      const answer: unknown = damaged(JSON.parse(text), damage);
      if (answer === undefined) return text;
      done = true;
      lacks ||= isLacking(sent, answer);
      return JSON.stringify(answer);
    };
    const ran = await inHome(world, words);
    if (!done) return;
    met.damaged += 1;
    const what = `${words.join(' ')}\n${line} ${JSON.stringify(damage)}\n${ran.stdout.slice(0, 500)}\n${ran.stderr}`;
    expect(ran.code, what).not.toBe(1);
    expect(ran.stderr, what).not.toMatch(/TypeError|bug in docs|undefined/);
    if (!lacks || isNeedless(words, line ?? '')) return;
    met.lacking += 1;
    if (tells === 'exit') expect(ran.code, what).not.toBe(0);
    else if (ran.code === 0)
      expect(ran.stdout + ran.stderr, what).toMatch(/[Cc]ould not look|[Nn]ot read|cannot be read/);
  });
}

/**
 * Whether what a command says rests on other reads as well: an admin has every space, so the matrix needs no other
 * list of them; the list of a person has the space that is explained; pages are read for their titles.
 */
function isNeedless([group, command = '']: readonly string[], line: string): boolean {
  const path = line.replace(/^GET |\?.*/g, '');
  if (path.endsWith('/content/pages') && group !== 'impact') return !line.includes('?');
  if (group !== 'access') return false;
  if (command === 'matrix') return !path.includes('/members');
  return command === 'explain' && /^\/v1\/spaces\/|\/members\/.*\/spaces$/.test(path);
}

/** Whether an answer lacks what its operation declares. */
function isLacking(line: string, answer: unknown): boolean {
  const [, path = ''] = line.split(' ');
  const returns = operationAt({ method: 'GET', path })?.op.returns;
  if (returns?.kind === 'one') return misfitOf(returns.schema, answer) !== undefined;
  if (returns?.kind !== 'page') return false;
  if (!isObject(answer) || !Array.isArray(answer.items)) return true;
  return answer.items.some((item) => misfitOf(returns.item, item) !== undefined);
}

/** What a command reads when nothing is damaged, each request once. */
async function readsOf(world: AccessWorld, words: readonly string[]): Promise<string[]> {
  world.gateway.rewrite = (_, text) => text;
  const before = world.gateway.requests.length;
  const { code, stderr } = await inHome(world, words);
  expect([0, 3, 17], `${words.join(' ')}: ${stderr}`).toContain(code);
  const sent = world.gateway.requests.slice(before).filter((line) => line.startsWith('GET '));
  return [...new Set(sent)].sort();
}

async function inHome(world: AccessWorld, words: readonly string[]) {
  const home = mkdtempSync(join(tmpdir(), 'docs-damaged-'));
  try {
    return await world.docs(words, { home });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Damages answers as a platform may that keeps to no specification. */

const inFields: ReadonlySet<Damage['kind']> = new Set(['drop', 'null', 'type', 'self', 'word']);

/** The answer with the damage, or undefined where it has nothing of that kind. */
function damaged(answer: unknown, { kind, item, field }: Damage): unknown {
  if (kind === 'array') return isObject(answer) && Array.isArray(answer.items) ? answer.items : [answer];
  if (kind === 'text') return 'maintenance';
  const copy: unknown = structuredClone(answer);
  if (!isObject(copy)) return undefined;
  const items = Array.isArray(copy.items) ? (copy.items as unknown[]) : undefined;
  if (kind === 'loop') return items && { ...copy, next: { page: 'again' } };
  if (inFields.has(kind)) {
    const found = items === undefined ? copy : pick(items, item);
    return isObject(found) && damageField(found, { kind, field }) ? copy : undefined;
  }
  if (items === undefined || items.length === 0) return undefined;
  const at = item % items.length;
  if (kind === 'null-item') items[at] = null;
  else if (kind === 'duplicate') items.push(items[at]);
  else items.length = at;
  return copy;
}

/** The fields of a resource, and those of the resources in it. */
function damageField(
  found: Record<string, unknown>,
  { kind, field }: Pick<Damage, 'kind' | 'field'>,
): boolean {
  const places = [...placesIn(found)];
  const place = pick(places, field);
  if (place === undefined) return false;
  const [holder, name] = place;
  const value = holder[name];
  if (kind === 'drop') delete holder[name];
  else if (kind === 'null') holder[name] = null;
  // A collection in itself, a role that is none of the six, a section group that is not there.
  else if (kind === 'self') holder[name] = found.id ?? 'self';
  else if (kind === 'word') holder[name] = 'owner';
  else holder[name] = isObject(value) || Array.isArray(value) ? 'text' : { id: value };
  return true;
}

function* placesIn(found: Record<string, unknown>): Generator<[Record<string, unknown>, string]> {
  for (const [name, value] of Object.entries(found)) {
    yield [found, name];
    for (const inner of Array.isArray(value) ? value : [value]) if (isObject(inner)) yield* placesIn(inner);
  }
}

function pick<T>(items: readonly T[], index: number): T | undefined {
  return items[index % Math.max(1, items.length)];
}
