import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type JobHome, jobHome } from './job-home.js';
import { type MemberPlatform, memberPlatform } from './member-platform.js';

/** A platform with ten members, and a home whose files name them: what jobs are tried on. */
export interface TenMembers {
  platform: MemberPlatform;
  home: JobHome;
  close(): Promise<void>;
}

export async function tenMembers(): Promise<TenMembers> {
  const platform = await memberPlatform(10);
  const home = jobHome({ DOCS_BASE_URL: platform.url, DOCS_TOKEN: 'secret-token', DOCS_ORG: 'o1' });
  const ids = [...platform.roles.keys()];
  writeFileSync(join(home.path, 'ids'), ids.join('\n'));
  writeFileSync(join(home.path, 'roles.csv'), `user,role\n${ids.map((id) => `${id},read`).join('\n')}\n`);
  return {
    platform,
    home,
    async close() {
      home.remove();
      await platform.close();
    },
  };
}

/** Gives all ten of them a role: by ids, and by rows. */
export const update = ['members', 'update', '@ids', '--role', 'read'];
export const bulk = ['bulk', 'members', 'update', '--from', 'roles.csv'];
