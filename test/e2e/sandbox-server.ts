import type { Home } from './program.js';

/** What a started sandbox tells of itself. */
export interface Started {
  url: string;
  tokens: { admin: string };
  org: string;
  site: string;
}

/** Starts a sandbox and makes it the platform of a home, with the administrator's token and the seed's organization. */
export async function startSandbox(home: Home, ...flags: readonly string[]): Promise<Started> {
  const started = await home.json<Started>(['sandbox', 'start', ...flags]);
  const { url, tokens, org } = started;
  Object.assign(home.env, { DOCS_BASE_URL: url, DOCS_TOKEN: tokens.admin, DOCS_ORG: org });
  return started;
}
