import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach } from 'vitest';
import { type JobHome, jobHome } from './job-home.js';
import { type MemberPlatform, memberPlatform } from './member-platform.js';

/** A platform with members, and a home whose files name them: what jobs are tried on. */
export interface MemberHome {
  platform: MemberPlatform;
  home: JobHome;
}

/** Serves both to the tests of a file, each of which finds them as new. */
export async function memberHome(count: number, env: Record<string, string> = {}): Promise<MemberHome> {
  const platform = await memberPlatform(count);
  const home = jobHome({ DOCS_BASE_URL: platform.url, DOCS_TOKEN: 'secret-token', DOCS_ORG: 'o1', ...env });
  beforeEach(() => {
    platform.reset();
    emptyHome(home);
    const ids = [...platform.roles.keys()];
    writeFileSync(join(home.path, 'ids'), ids.join('\n'));
    writeFileSync(join(home.path, 'roles.csv'), `user,role\n${ids.map((id) => `${id},read`).join('\n')}\n`);
  });
  afterAll(async () => {
    home.remove();
    await platform.close();
  });
  return { platform, home };
}

/** Removes what a test has left, but for compiled code and what the platform keeps there. */
export function emptyHome({ path }: Pick<JobHome, 'path'>): void {
  for (const name of readdirSync(path))
    if (name !== '.cache' && name !== '.local') rmSync(join(path, name), { recursive: true });
  rmSync(join(path, '.local', 'state'), { recursive: true, force: true });
}

/** Gives all of them a role: by ids, and by rows. */
export const update = ['members', 'update', '@ids', '--role', 'read'];
export const bulk = ['bulk', 'members', 'update', '--from', 'roles.csv'];
