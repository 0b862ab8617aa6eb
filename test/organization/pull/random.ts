import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import { DocsError } from '../../../src/base/errors.js';
import { Names } from '../../../src/organization/keys.js';
import { kinds } from '../../../src/organization/kinds/index.js';
import { match } from '../../../src/organization/match.js';
import type { KindName, Live, LiveItem } from '../../../src/organization/model.js';
import { setValue } from '../../../src/organization/pull/live-tree.js';
import { comparable } from '../../../src/organization/value.js';
import { platform, there } from '../planner/build.js';
import { acme, type Folder, membership } from './world.js';

/** Random changes of the platform: files follow, and nothing of what people wrote gets lost. */

type Random = (below: number) => number;

function randomFrom(seed: number): Random {
  let state = seed * 2654435761 + 1;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const texts = [
  ...['Plain', '2024', 'yes', 'a: b', "it's", '# no', ' lead', 'two\nlines\n', 'null', '1.10', 'ünï', '- x'],
  ...['"q"', 'x #y', '[a]', '🎉 party', 'a\\b', 'end:'],
];

/** One change of a live organization by hand. */
function changed(items: LiveItem[], random: Random, step: number): LiveItem[] {
  const at = random(items.length);
  const one = items[at] as LiveItem;
  const replaced = (next: LiveItem): LiveItem[] => {
    const others = items.map((item) => (item === one ? next : item));
    return relinked(others, new Map([[one, next]]));
  };
  switch (random(5)) {
    case 0: {
      const key = ['title', 'label', 'description', 'condition'].find((name) => name in one.fields);
      const text = texts[random(texts.length)] as string;
      if (key === undefined) return items;
      return replaced({ ...one, title: text, fields: { ...one.fields, [key]: text } });
    }
    case 1: {
      const domains = ['a.example', 'b.example', 'c.example'];
      const values: Partial<Record<KindName, () => Record<string, unknown>>> = {
        people: () => ({ role: ['admin', 'read', 'guest'][random(3)] }),
        memberships: () => ({ role: ['owner', 'member'][random(2)] }),
        spaces: () => ({ fields: random(2) ? { owner: texts[random(texts.length)] } : null }),
        organization: () => ({ email_domains: domains.slice(random(3)) }),
      };
      const fields = values[one.kind]?.();
      return fields === undefined ? items : replaced({ ...one, fields: { ...one.fields, ...fields } });
    }
    case 2: {
      if (one.kind === 'organization' || one.kind === 'sites' || one.kind === 'fields') return items;
      const gone = new Set([one]);
      for (const item of items) if (isIn(item, gone)) gone.add(item);
      for (const item of items) if (isIn(item, gone)) gone.add(item);
      return withoutReferences(
        items.filter((item) => !gone.has(item)),
        gone,
      );
    }
    case 3: {
      const id = `new${step}`;
      const place = { index: 90 + step, ...(one.parent && { parent: one.parent }) };
      const inside = random(2) ? { parent: one } : {};
      const natural = `p${random(1000)}-${step}@acme.example`;
      const title = texts[random(texts.length)] as string;
      const anew: Partial<Record<KindName, () => LiveItem>> = {
        teams: () => there('teams', id, { title }),
        people: () => there('people', id, { role: 'read', sso: false }, { natural }),
        collections: () =>
          there('collections', id, { title: 'Coll', default_level: 'none' }, { index: 90 + step, ...inside }),
        spaces: () => there('spaces', id, { title: `S ${step}` }, place),
        sections: () => there('sections', id, { title: 'Sec', path: `sec${step}` }, place),
      };
      const added = anew[one.kind]?.();
      return added === undefined ? items : [...items, added];
    }
    default: {
      const collections = items.filter(({ kind }) => kind === 'collections');
      if (one.kind === 'spaces' || one.kind === 'collections') {
        const parent = [undefined, ...collections][random(collections.length + 1)];
        if (parent === one || parent === one.parent || (parent !== undefined && isIn(parent, new Set([one]))))
          return items;
        const { parent: _, ...rest } = one;
        return replaced({ ...rest, index: 50 + step, ...(parent && { parent }) });
      }
      const team = items.filter(({ kind }) => kind === 'teams')[random(3)];
      if (
        one.kind === 'people' &&
        team !== undefined &&
        !items.some((item) => item.kind === 'memberships' && item.id === one.id && item.parent === team)
      )
        return [...items, membership(team, one, 'member')];
      return items;
    }
  }
}

function isIn(item: LiveItem, some: ReadonlySet<LiveItem>): boolean {
  if (item.kind === 'memberships' && [...some].some((one) => one.kind === 'people' && one.id === item.id))
    return true;
  if (
    item.kind === 'site-spaces' &&
    [...some].some((one) => one.kind === 'spaces' && one.id === item.natural)
  )
    return true;
  for (let at = item.parent; at !== undefined; at = at.parent) if (some.has(at)) return true;
  return false;
}

/** Parents are live items themselves. */
function relinked(items: LiveItem[], changes: Map<LiveItem, LiveItem>): LiveItem[] {
  const next = items.map((item) => {
    const parent = item.parent === undefined ? undefined : changes.get(item.parent);
    if (parent === undefined) return item;
    const copy = { ...item, parent };
    changes.set(item, copy);
    return copy;
  });
  return next.some((item, index) => item !== items[index]) ? relinked(next, changes) : next;
}

function withoutReferences(items: LiveItem[], gone: ReadonlySet<LiveItem>): LiveItem[] {
  const ids = new Set([...gone].map(({ kind, id }) => `${kind} ${id}`));
  return items.map((item) => {
    const { default: shown, default_team: team } = item.fields as Record<
      string,
      { $id: string; kind: string } | null
    >;
    let fields = item.fields;
    if (shown && ids.has(`${shown.kind} ${shown.$id}`)) fields = { ...fields, default: null };
    if (team && ids.has(`${team.kind} ${team.$id}`)) fields = { ...fields, default_team: null };
    return fields === item.fields ? item : Object.assign(item, { fields });
  });
}

async function holds(folder: Folder, live: Live): Promise<void> {
  const desired = await folder.read().catch((error: unknown) => {
    if (error instanceof DocsError) throw new Error(error.failure.lines?.join('\n'), { cause: error });
    throw error;
  });
  const matched = match(desired, live, folder.lock());
  const names = new Names(live, undefined, {
    ...matched,
    has: (address) => desired.items.has(address),
  });
  for (const kind of kinds) {
    for (const item of live.items.get(kind.name) ?? []) {
      const address = matched.named.get(item);
      const file = address === undefined ? undefined : desired.items.get(address);
      expect(file, `${kind.name} ${item.id} ${item.title}`).toBeDefined();
      if (file === undefined) continue;
      const parent = item.parent === undefined ? undefined : matched.named.get(item.parent);
      expect(file.parent, file.address).toBe(parent);
      for (const field of kind.fields) {
        if (!(field.key in file.fields)) continue;
        const [a, b] = [file.fields[field.key], setValue(field, item.fields[field.key])];
        expect(comparable(field, a, names.ofId), `${file.address} ${field.key}`).toEqual(
          comparable(field, b, names.ofId),
        );
      }
    }
  }
  expect(desired.items.size).toBe([...live.items.values()].flat().length);
}

/** Lines that people write between others. */
function annotate(folder: Folder, random: Random): string[] {
  const comments: string[] = [];
  for (const name of ['people.yaml', 'library.yaml', 'teams.yaml', 'sites/acme-docs.yaml']) {
    const path = folder.file(name);
    const lines = readFileSync(path, 'utf8').split('\n');
    const at = lines.findIndex((line) => /^(people|library|teams|structure):/.test(line));
    lines[at] = `${lines[at]} # list ${name}`;
    comments.push(`# list ${name}`);
    const keys = lines.flatMap((line, index) =>
      /^ {2}- (?:email|collection|key|group|section): /.test(line) ? [index] : [],
    );
    const spot = keys[random(keys.length)] as number;
    lines.splice(spot, 0, '', `${' '.repeat(random(4))}# before ${name}`);
    comments.push(`# before ${name}`);
    writeFileSync(path, lines.join('\n'));
  }
  appendFileSync(folder.file('teams.yaml'), '# the end\n');
  return [...comments, '# the end'];
}

/** Random changes are in the files after a pull, which keeps what people wrote between the lines. */
export async function filesFollow(folder: Folder, seed: number): Promise<void> {
  const random = randomFrom(seed);
  const world = acme();
  let items = [...world.all, ...world.members];
  const all = kinds.map(({ name }) => name);
  await folder.pull(platform(items, all));
  await holds(folder, platform(items, all));
  const comments = annotate(folder, random);
  for (let round = 0; round < 3; round += 1) {
    for (let step = 0; step < 4; step += 1) items = changed(items, random, round * 10 + step);
    const live = platform(items, all);
    const { kept } = await folder.pull(live);
    expect(kept).toEqual([]);
    await holds(folder, live);
    const again = await folder.pull(live);
    expect(again).toEqual({ written: [], kept: [], lock: [] });
  }
  const text = Object.values(folder.texts()).join('\n');
  for (const comment of comments) expect(text).toContain(comment);
}
