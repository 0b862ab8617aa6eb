import { mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Rehearsed } from '../../src/rehearsal/report.js';
import { type JobHome, jobHome } from './job-home.js';
import { runsHere } from './runs-here.js';
import { sandboxHere } from './sandbox-here.js';

/**
 * A home with a sandbox that plays the real platform, whose log and state tell what reached it. Rehearsals start programs;
 * all else runs within the test.
 */
export interface RehearseHome extends JobHome {
  readonly org: string;
  /** Paths of the folders of rehearsals that are there. */
  folders(): string[];
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
  /** The id of the first of a kind: `teams`. */
  firstId(kind: string): Promise<string>;
  /** Writes a script into the home. */
  script(name: string, text: string): void;
  /** `docs rehearse --json-report report.json`. */
  rehearse(...words: string[]): ReturnType<JobHome['run']>;
  /** The report of `--json-report report.json`. */
  report(): Rehearsed;
}

/** For the tests of a file, of which each begins with the platform as it was at first. */
export function rehearseHomeOfFile(): RehearseHome {
  const home = {} as RehearseHome;
  let first = '';
  beforeAll(async () => {
    Object.assign(home, await rehearseHome());
    first = join(home.path, 'first.json');
    writeFileSync(first, await home.state());
  });
  beforeEach(async () => {
    await home.refill(first);
    await home.forget();
  });
  afterAll(() => home.end());
  return home;
}

/** @param seed of the sandbox that plays the platform */
export async function rehearseHome(seed = 'tiny'): Promise<RehearseHome> {
  const home = jobHome({});
  runsHere(home);
  const temporary = join(realpathSync(home.path), 'tmp');
  mkdirSync(temporary);
  home.env.TMPDIR = temporary;
  const sandbox = await sandboxHere(home, seed);
  const { org } = sandbox.defaults;
  Object.assign(home.env, { DOCS_BASE_URL: sandbox.url, DOCS_TOKEN: sandbox.token, DOCS_ORG: org });
  let seen = 0;
  const all = async () => sandbox.control.requests();
  const sent = async () => (await all()).slice(seen).map(({ method, path }) => `${method} ${path}`);
  return Object.assign(home, {
    org,
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
    firstId: async (kind: string) => (await home.json<{ id: string }[]>([kind, 'list']))[0]?.id ?? '',
    script: (name: string, text: string) => writeFileSync(join(home.path, name), text),
    rehearse: (...words: string[]) =>
      home.start(['rehearse', '--json-report', 'report.json', ...words]).ended,
    async end() {
      await sandbox.close();
      home.remove();
    },
    report: () => JSON.parse(readFileSync(join(home.path, 'report.json'), 'utf8')) as Rehearsed,
  });
}

/** The processes whose environment names a folder of a rehearsal, or those of them that run one program. */
export function processesIn(folder: string, program?: string): string[] {
  return readdirSync('/proc').filter((name) => {
    try {
      const isProgram =
        program === undefined || readFileSync(`/proc/${name}/comm`, 'utf8').trim() === program;
      return isProgram && readFileSync(`/proc/${name}/environ`, 'utf8').includes(folder);
    } catch {
      return false;
    }
  });
}
