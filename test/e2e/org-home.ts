import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach } from 'vitest';
import { type Gateway, startGateway } from './gateway.js';
import { failure, type JobHome, jobHome } from './job-home.js';
import { emptyHome } from './member-home.js';
import { startSandbox } from './sandbox-server.js';

/** A sandbox behind a gateway, and a home whose folder `org` describes its organization. */
export interface OrgHome {
  home: JobHome;
  gateway: Gateway;
  /** Of a file in the folder. */
  path(file: string): string;
  read(file: string): string;
  /** Runs words that must fail. */
  failed(...words: string[]): Promise<{ code: number | null; error: unknown }>;
}

/** Serves all of it to the tests of a file, each of which finds the platform and the home as new. */
export async function orgHome(): Promise<OrgHome> {
  const home = jobHome({});
  const sandbox = await startSandbox(home);
  const gateway = await startGateway(sandbox.url);
  home.env.DOCS_BASE_URL = gateway.url;
  const seed = sandbox.control.export();
  const path = (file: string) => join(home.path, 'org', file);
  beforeEach(async () => {
    emptyHome(home);
    gateway.rule = () => undefined;
    const file = join(home.path, 'seed.json');
    writeFileSync(file, seed);
    await sandbox.control.seed(file, { isExport: true });
    rmSync(file);
  });
  afterAll(async () => {
    await gateway.close();
    await sandbox.close();
    home.remove();
  });
  return {
    ...{ home, gateway, path },
    read: (file) => readFileSync(path(file), 'utf8'),
    async failed(...words) {
      const { code, stderr } = await home.run([...words, '--json']);
      return { code, error: failure(stderr) };
    },
  };
}
