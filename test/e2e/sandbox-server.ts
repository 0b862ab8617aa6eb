import type { Home } from './program.js';
import { type SandboxHere, sandboxHere } from './sandbox-here.js';

/** What a started sandbox tells of itself. */
export interface Started {
  url: string;
  /** By role, `guest` and `other-org`. */
  tokens: Readonly<Record<string, string>> & { admin: string };
  org: string;
  space: string;
  site: string;
  control: SandboxHere['control'];
  close(): Promise<void>;
}

/**
 * Serves a sandbox from this process, and makes it the platform of a home, with the administrator's token and the
 * seed's organization.
 */
export async function startSandbox(home: Home, seed?: string): Promise<Started> {
  const { url, token, tokens, defaults, control, close } = await sandboxHere(home, seed);
  const { org, space = '', site = '' } = defaults;
  Object.assign(home.env, { DOCS_BASE_URL: url, DOCS_TOKEN: token, DOCS_ORG: org });
  const named = Object.fromEntries(tokens.map((one) => [one.name, one.token]));
  return { url, tokens: { ...named, admin: token }, org, space, site, control, close };
}
