import { mkdirSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Rehearsed } from '../../src/rehearsal/shape.js';
import { type JobHome, jobHome } from './job-home.js';
import { sandboxHere } from './sandbox-here.js';

/** A home with a sandbox that plays the real platform, whose log and state tell what reached it. */
export interface RehearseHome extends JobHome {
  readonly org: string;
  /** Paths of the folders of rehearsals that are there. */
  folders(): string[];
  /** Variables without any platform. */
  readonly offline: Record<string, string>;
  /** The requests that reached the platform since the last `forget`, as `METHOD path`. */
  sent(): Promise<string[]>;
  /** The same without reads. */
  changes(): Promise<string[]>;
  forget(): Promise<void>;
  state(): Promise<string>;
  /** Fills the platform with what `state` gave, from a file. */
  refill(path: string): Promise<void>;
  /** Stops the platform and removes the home. */
  end(): Promise<void>;
  /** The report of `--json-report report.json`. */
  report(): Rehearsed;
}

/** @param seed of the sandbox that plays the platform */
export async function rehearseHome(seed = 'tiny'): Promise<RehearseHome> {
  const home = jobHome({});
  const temporary = join(realpathSync(home.path), 'tmp');
  mkdirSync(temporary);
  home.env.TMPDIR = temporary;
  const offline = { ...home.env };
  const sandbox = await sandboxHere(home, seed);
  const { org } = sandbox.defaults;
  Object.assign(home.env, {
    DOCS_BASE_URL: sandbox.url,
    DOCS_TOKEN: sandbox.token,
    DOCS_ORG: org,
  });
  let seen = 0;
  const all = async () => sandbox.control.requests();
  const sent = async () => (await all()).slice(seen).map(({ method, path }) => `${method} ${path}`);
  return Object.assign(home, {
    org,
    offline,
    folders: () =>
      readdirSync(temporary)
        .filter((name) => name.startsWith('docs-rehearsal-'))
        .map((name) => join(temporary, name)),
    sent,
    changes: async () => (await sent()).filter((one) => !one.startsWith('GET ')),
    async forget() {
      seen = (await all()).length;
    },
    state: async () => sandbox.control.export(),
    refill: (path: string) => sandbox.control.seed(path, { isExport: true }),
    async end() {
      await sandbox.close();
      home.remove();
    },
    report: () => JSON.parse(readFileSync(join(home.path, 'report.json'), 'utf8')) as Rehearsed,
  });
}

/** The processes whose environment names a folder of a rehearsal; none where the system has no /proc. */
export function processesIn(folder: string): string[] {
  return readdirSync('/proc').filter((name) => {
    try {
      return readFileSync(`/proc/${name}/environ`, 'utf8').includes(folder);
    } catch {
      return false;
    }
  });
}

/** Waits until something holds; what never does is told before the test's own time is up. */
export async function until(what: () => boolean): Promise<void> {
  const { setTimeout: wait } = await import('node:timers/promises');
  for (let look = 0; look < 550; look += 1) {
    if (what()) return;
    await wait(100);
  }
  throw new Error(`It never came about: ${what}`);
}
