import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { startForwarder } from './forwarder.js';
import { type JobHome, jobHome } from './job-home.js';
import { freshHome, type Home } from './program.js';
import { type Started, startSandbox } from './sandbox-server.js';

/** A sandbox with the site `docs`, which has sections, and `plain`, which has none; and what releases leave there. */

export interface Release {
  home: JobHome;
  control: Started['control'];
  forwarder: Awaited<ReturnType<typeof startForwarder>>;
  /** A home of another machine. */
  elsewhere(more?: Readonly<Record<string, string>>): Home;
  /** Data as after the start. */
  reset(): Promise<void>;
  /** Ids. */
  sites: { docs: string; plain: string };
  close(): Promise<void>;
}

export interface OnSite {
  id: string;
  title: string;
  path: string;
  condition?: string;
  section?: string;
  default?: boolean;
  space: { id: string; title: string };
  urls?: { published?: string };
}

export interface Section extends Omit<OnSite, 'space'> {
  sectionGroup?: string;
  icon?: string;
  description?: string;
  siteSpaces: OnSite[];
}

/** @param prepare what every test finds beside that, given the id of the site `docs` */
export async function startRelease(
  prepare: (home: Home, docs: string) => Promise<void> = async () => {},
): Promise<Release> {
  const home = jobHome({});
  const { url, org, site, tokens, control, close } = await startSandbox(home);
  const forwarder = await startForwarder(url);
  const env = { DOCS_BASE_URL: forwarder.url, DOCS_TOKEN: tokens.admin, DOCS_ORG: org };
  Object.assign(home.env, env);
  const spaces = await home.json<OnSite[]>(['site-spaces', 'list', '--site', site]);
  const wanted = spaces.filter(({ title }) => title !== 'Welcome').map(({ space }) => space.id);
  const ids = wanted.flatMap((id) => ['--space-id', id]);
  const { id: plain } = await home.json<{ id: string }>(['sites', 'create', '--title', 'Plain', ...ids]);
  control.publish(plain);
  const [, reference] = await home.json<OnSite[]>(['site-spaces', 'list', '--site', plain]);
  await home.ok(['sites', 'update', plain, '--default-site-space', reference?.id ?? '']);
  await prepare(home, site);
  // What every test begins with.
  const seed = join(home.path, 'seed.json');
  writeFileSync(seed, control.export());
  await control.seed(seed, { isExport: true });
  return {
    ...{ home, control, forwarder },
    sites: { docs: site, plain },
    elsewhere: (more = {}) => freshHome({ ...env, ...more }),
    async reset() {
      await control.reset();
      // The sandbox gives the same ids again, which belong to no job of before.
      rmSync(home.journals, { recursive: true, force: true });
      forwarder.reset();
    },
    async close() {
      await forwarder.close();
      await close();
      home.remove();
    },
  };
}

/** Runs a command that is killed at one of its changes. */
export async function killedAt(
  { home, forwarder }: Release,
  words: readonly string[],
  at: number,
  fate: 'lost before' | 'lost after',
): Promise<void> {
  const running = home.begin(words);
  forwarder.onChange = (count) => {
    if (count < at) return 'pass';
    running.kill('SIGKILL');
    return count === at ? fate : 'lost before';
  };
  expect((await running.ended).signal).toBe('SIGKILL');
  await forwarder.idle();
  forwarder.onChange = () => 'pass';
}

/**
 * All data of the sandbox, without what deleted spaces leave: they wait in the trash.
 * @param how.withIds whether ids and times count; without them, two runs can be compared
 */
export function stateOf({ control }: Release, { withIds = true } = {}): unknown {
  const { tables } = JSON.parse(control.export()) as {
    tables: Record<string, Record<string, unknown>[]>;
  };
  const gone = new Set(tables.spaces?.filter((one) => one.deleted_at !== null).map(({ id }) => id));
  const isLeft = (row: Record<string, unknown>) => !gone.has(row.id) && !gone.has(row.space_id);
  const named = [
    'spaces',
    'sites',
    'sections',
    'section_groups',
    'site_spaces',
    'space_users',
    'collections',
  ];
  const state = named.map((name) => [name, inOrder(tables[name]?.filter(isLeft) ?? [])]);
  return withIds ? Object.fromEntries(state) : nameless(state, tables);
}

/** Rows in which what is referred to is named by its title. */
function nameless(state: unknown, tables: Readonly<Record<string, Record<string, unknown>[]>>): unknown {
  const titles = new Map(
    [...(tables.spaces ?? []), ...(tables.sections ?? [])].map((row) => [row.id, `the ${row.title}`]),
  );
  const text = JSON.stringify(state, (key, value) => {
    if (key === 'created_at' || key === 'updated_at' || key === 'revision_id') return undefined;
    return key === 'id' ? undefined : (titles.get(value) ?? value);
  });
  const named = JSON.parse(text) as [string, unknown[]][];
  // Who has access is in no order, and stands in that of the ids.
  return named.map(([name, rows]) => [name, name === 'space_users' ? rows.map(textOf).sort() : rows]);
}

function textOf(row: unknown): string {
  return JSON.stringify(row);
}

/** Rows by their places, whose keys alone may differ. */
function inOrder(rows: readonly Record<string, unknown>[]): unknown[] {
  const sorted = [...rows].sort((a, b) => (String(a.position) < String(b.position) ? -1 : 1));
  return sorted.map(({ position: _, ...row }) => row);
}
