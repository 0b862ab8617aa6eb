import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach } from 'vitest';
import type { Offboarding } from '../../../src/access/members.js';
import { listMembers, listTeamMembers, setTeamMember } from '../../../src/api/resources/members.js';
import { run } from '../../../src/main.js';
import type { SandboxControl } from '../../../src/sandbox/control.js';
import { type Gateway, startGateway } from '../../e2e/gateway.js';
import { type FakeIoOptions, fakeIo } from '../../fake-io.js';
import { type Client, openSandbox, seedId, type TestSandbox } from '../../sandbox/client.js';
import { controlOf } from '../../sandbox/control-of.js';

/** An organization on the sandbox, and `docs` run against it in this process. */
export interface OrgWorld {
  readonly sandbox: TestSandbox;
  readonly control: SandboxControl;
  /** Stands before the sandbox, and notes what is sent. */
  readonly gateway: Gateway;
  /** The organization's admin, straight to the sandbox. */
  readonly admin: Client;
  /** Home and working folder of every run. */
  readonly home: string;
  /** Runs `docs` with these words; the clock moves on by a minute before each run. */
  run(
    words: readonly string[],
    options?: Pick<FakeIoOptions, 'stdin' | 'env' | 'terminals' | 'columns'>,
  ): Promise<Ran>;
  /** Ids of all members. */
  memberIds(): Promise<string[]>;
  /** Roles in a team of the seed, by the name of the person. */
  rolesIn(name: string): Promise<Record<string, string>>;
  setRole(name: string, inTeam: string, role: 'owner' | 'member'): Promise<void>;
  /** Names of the evidence files, sorted. */
  evidence(): string[];
  /** Begins anew: the seed, an empty home, the clock at its start. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

export const parsed = (text: string) => JSON.parse(text) as Offboarding;

export const org = seedId('org acme');
export const person = (name: string): string => seedId(`user ${name}`);
export const team = (name: string): string => seedId(`team ${name}`);

/** One for a file, in which each test finds the seed. */
export async function orgWorldOfFile(): Promise<OrgWorld> {
  const world = await openOrgWorld();
  beforeEach(() => world.reset());
  afterAll(() => world.close());
  return world;
}

export async function openOrgWorld(): Promise<OrgWorld> {
  const sandbox = await openSandbox();
  const control = await controlOf(sandbox);
  const gateway = await startGateway(sandbox.url);
  const asIs = { ...gateway };
  const home = mkdtempSync(join(tmpdir(), 'docs-org-'));
  const env = {
    HOME: home,
    DOCS_BASE_URL: gateway.url,
    DOCS_TOKEN: sandbox.token,
    DOCS_ORG: org,
    DOCS_CREDENTIAL_STORE: 'file',
  };
  const startMs = sandbox.outside.ms;
  let nowMs = startMs;
  return {
    sandbox,
    control,
    gateway,
    admin: sandbox.as('admin'),
    home,
    async run(words, options = {}) {
      nowMs += 60_000;
      sandbox.outside.ms = nowMs;
      const io = fakeIo({
        ...options,
        cwd: home,
        env: { ...env, ...options.env },
        now: new Date(nowMs).toISOString(),
      });
      const code = await run(words, io);
      return { code, stdout: io.stdout.text, stderr: io.stderr.text };
    },
    async memberIds() {
      const members = await sandbox.as('admin').all(listMembers, { path: { organizationId: org } });
      return members.map(({ id }) => id);
    },
    async rolesIn(name) {
      const path = { organizationId: org, teamId: team(name) };
      const items = await sandbox.as('admin').all(listTeamMembers, { path });
      const nameOf = (email = '') => email.split('@')[0] ?? '';
      return Object.fromEntries(items.map((item) => [nameOf(item.organization.user.email), item.team.role]));
    },
    async setRole(name, inTeam, role) {
      const path = { organizationId: org, teamId: team(inTeam), userId: person(name) };
      await sandbox.as('admin').ok(setTeamMember, { path, body: { role } });
    },
    evidence: () =>
      readdirSync(home)
        .filter((name) => statSync(join(home, name)).isFile())
        .sort(),
    async reset() {
      nowMs = startMs;
      sandbox.outside.ms = startMs;
      await control.reset();
      Object.assign(gateway, asIs);
      gateway.requests.length = 0;
      for (const name of readdirSync(home)) rmSync(join(home, name), { recursive: true });
    },
    async close() {
      await gateway.close();
      control.close();
      await sandbox.close();
      rmSync(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}
