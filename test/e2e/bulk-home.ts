import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach } from 'vitest';
import { type JobHome, jobHome } from './job-home.js';
import { type Answer, type StubPlatform, stubPlatform } from './stub-platform.js';

/** A platform that answers as a test file says, and a home without journals, for files of rows. */
export interface BulkHome {
  home: JobHome;
  platform: StubPlatform;
  /** Writes a file. @returns its name */
  rows(name: string, text: string): string;
}

export async function bulkHome(answer: Answer): Promise<BulkHome> {
  const platform = await stubPlatform(answer);
  const env = { DOCS_BASE_URL: platform.url, DOCS_TOKEN: 'secret-token', DOCS_ORG: 'o1' };
  const home = jobHome({ ...env, DOCS_JOURNAL: 'off' });
  beforeEach(() => {
    platform.requests.length = 0;
    platform.bodies.length = 0;
  });
  afterAll(async () => {
    home.remove();
    await platform.close();
  });
  return {
    ...{ home, platform },
    rows(name, text) {
      writeFileSync(join(home.path, name), text);
      return name;
    },
  };
}
