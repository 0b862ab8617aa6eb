import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Gateway, startGateway } from './gateway.js';
import { type JobHome, jobHome } from './job-home.js';
import type { Ran } from './program.js';
import { sandboxHere } from './sandbox-here.js';

/** A home that is signed in to a sandbox of its own, through a gateway. */
export interface BackupHome extends JobHome {
  gateway: Gateway;
  org: string;
  /** Path of a folder or file in the home. */
  at(...names: string[]): string;
  /** The id of the space with this title. */
  space(title: string): Promise<string>;
  /** Backs up into the folder `b`. */
  backUp(...words: string[]): Promise<Ran>;
  /** The same, expecting success: the result it printed. */
  backedUp(...words: string[]): Promise<Result>;
  end(): Promise<void>;
}

type Row = Record<string, unknown>;
export type Tables = Record<string, Row[]>;

/**
 * @param change changes the rows of the seed before the server starts
 * @param content folder in the home whose files are served as the content of URLs
 */
export async function backupHome(
  seed = 'tiny',
  change?: (tables: Tables) => void,
  content?: string,
): Promise<BackupHome> {
  const home = jobHome({});
  if (change !== undefined) {
    await home.ok(['sandbox', 'seed', seed]);
    const state = JSON.parse(await home.ok(['sandbox', 'export'])) as { tables: Tables };
    change(state.tables);
    writeFileSync(join(home.path, 'seed.json'), JSON.stringify(state));
    await home.ok(['sandbox', 'seed', '--from', 'seed.json']);
  }
  const sandbox = await sandboxHere(home, change === undefined ? seed : undefined, content);
  const gateway = await startGateway(sandbox.url);
  const { org } = sandbox.defaults;
  Object.assign(home.env, { DOCS_BASE_URL: gateway.url, DOCS_TOKEN: sandbox.token, DOCS_ORG: org });
  const backUp = (...words: string[]) => home.run(['backup', 'run', '--out', 'b', '--json', ...words]);
  return Object.assign(home, {
    gateway,
    org,
    at: (...names: string[]) => join(home.path, ...names),
    async space(title: string) {
      const spaces = await home.json<{ id: string; title: string }[]>(['spaces', 'list']);
      return spaces.find((space) => space.title === title)?.id ?? '';
    },
    backUp,
    async backedUp(...words: string[]) {
      const { code, stdout, stderr } = await backUp(...words);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      return JSON.parse(stdout) as Result;
    },
    async end() {
      await gateway.close();
      await sandbox.close();
      home.remove();
    },
  });
}

/** Every path below a folder that is not a folder, with its hash; `link` for a link. */
export function filesIn(folder: string, below = ''): Map<string, string> {
  const found = new Map<string, string>();
  for (const name of readdirSync(join(folder, below)).sort()) {
    const path = below === '' ? name : `${below}/${name}`;
    const stats = lstatSync(join(folder, path));
    if (stats.isDirectory()) for (const entry of filesIn(folder, path)) found.set(...entry);
    else found.set(path, stats.isSymbolicLink() ? 'link' : hashOf(readFileSync(join(folder, path))));
  }
  return found;
}

/** When each file was last written. */
export function timesIn(folder: string): Map<string, number> {
  return new Map([...filesIn(folder).keys()].map((path) => [path, lstatSync(join(folder, path)).mtimeMs]));
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Requests that name a space, by its id. */
export function perSpace(requests: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const line of requests) {
    const [, id] = /^GET \/v1\/spaces\/([\w-]+)/.exec(line) ?? [];
    if (id !== undefined) found.set(id, [...(found.get(id) ?? []), line]);
  }
  return found;
}

/** The result of `docs backup run --json`. */
export interface Result {
  id: string;
  status: string;
  spaces: number;
  unchanged: number;
  moved: number;
  pages: number;
  files: number;
  fileBytes: number;
  counts: Record<string, number>;
  failed: { kind: string; id: string; title?: string; space?: string; error: { status?: number } }[];
}

export interface Failure {
  error: {
    code: string;
    exitCode: number;
    message: string;
    hint?: string;
    details?: Record<string, unknown>;
  };
}

export const failureOf = (stderr: string) =>
  (JSON.parse(stderr.trim().split('\n').at(-1) ?? '') as Failure).error;
