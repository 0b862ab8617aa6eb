import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { sha256 } from '../../src/base/hash.js';
import type { Plan } from '../../src/plans/plan.js';
import { approvalOf, fileOf, type Person, person } from '../policy/approval/world.js';
import { type Forwarder, startForwarder } from './forwarder.js';
import { type JobHome, jobHome } from './job-home.js';
import { runsHere } from './runs-here.js';
import type { SandboxHere } from './sandbox-here.js';
import { startSandbox } from './sandbox-server.js';
import { type OnTerminal, onTerminal } from './terminal.js';
import { onTerminalHere } from './terminal-here.js';

/** A platform, a policy that wants plans to be approved, and people who may. */

/** None of them is the admin of the seed, who makes the plans. */
export const [ada, bob, eve] = ['lovelace', 'bob', 'eve'].map((name) => person(`${name}@acme.example`)) as [
  Person,
  Person,
  Person,
];

interface Member {
  id: string;
  role: string;
}

/** An error as `--json` prints it. */
export interface Failed {
  exit: number | null;
  code: string;
  message: string;
  hint: string;
  details: { reasons: { code: string; message: string }[] };
}

export interface ApprovalHome {
  home: JobHome;
  sandbox: {
    org: string;
    token: string;
    /** By role. */
    tokens: Readonly<Record<string, string>>;
    control: SandboxHere['control'];
  };
  forwarder: Forwarder;
  at(name: string): string;
  write(name: string, text: string): void;
  /** @param more further lines of `approve`, or after it */
  policyText(people: readonly Person[], more?: string, ask?: readonly string[]): string;
  /** The plan in plan.json. */
  plan(): Plan;
  /** Whether plan.json has approvals. */
  isSigned(): boolean;
  /** All members, whatever the policy says. */
  members(): Promise<Member[]>;
  on(words: readonly string[], env?: Record<string, string>, look?: { rows: number }): OnTerminal;
  /** `docs plan approve` by one of them. */
  asks(who: string, ...words: string[]): OnTerminal;
  /** Approves a plan as a person does. */
  approve(who: string, file?: string): Promise<{ code: number; screen: string }>;
  /** An approval of the plan by somebody who writes the file without docs. */
  approval(by: Person, more?: Partial<Parameters<typeof approvalOf>[3]>): string;
  /** Runs words that must fail with nothing sent. */
  refused(...words: string[]): Promise<Failed>;
  /** Everything as after the start. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

/** In the world layer a terminal is one of the test. */
const terminal = inject('layer') === 'world' ? onTerminalHere : onTerminal;

/** @param prepare what every test finds on the platform */
export async function approvalHome(
  prepare: (home: JobHome) => Promise<unknown> = async () => {},
): Promise<ApprovalHome> {
  const home = jobHome({});
  // Terminals are of this layer.
  runsHere(home);
  const { url, tokens, org, control, close } = await startSandbox(home);
  const forwarder = await startForwarder(url);
  for (const name of ['DOCS_BASE_URL', 'DOCS_TOKEN', 'DOCS_ORG']) delete home.env[name];
  // A token of a profile has an owner; one of the environment may be anybody's.
  await home.ok(['auth', 'login', '--base-url', forwarder.url, '--with-token'], { stdin: tokens.admin });
  await home.ok(['orgs', 'use', org]);
  const at = (name: string) => join(home.path, name);
  const write = (name: string, text: string) => writeFileSync(at(name), text, { mode: 0o600 });
  for (const [name, { pem }] of Object.entries({ ada, bob, eve })) write(`${name}.pem`, pem);
  await prepare(home);
  const seed = at('seed.json');
  writeFileSync(seed, control.export());
  const on: ApprovalHome['on'] = (words, env = {}, look = { rows: 60 }) =>
    terminal(words, { env: { ...home.env, ...env }, cwd: home.path, columns: 200, ...look });
  const plan = () => JSON.parse(readFileSync(at('plan.json'), 'utf8')) as Plan;
  return {
    ...{ home, forwarder, at, write, on, plan },
    sandbox: { org, token: tokens.admin, tokens, control },
    policyText(people, more = '', ask = ['members update', 'teams delete']) {
      const by = people.map(({ email, key }) => `    - { email: ${email}, key: "${key}" }`);
      const rules = `version: 1\ndefault: allow\nask: ${JSON.stringify(ask)}\n`;
      return `${rules}approve:\n  valid: 12h\n  by:\n${by.join('\n')}\n${more}`;
    },
    isSigned: () => existsSync(at('plan.json.approvals')),
    async members() {
      const { stdout } = await home.run(['members', 'list', '--json'], { env: { DOCS_POLICY: '' } });
      return JSON.parse(stdout) as Member[];
    },
    asks: (who, ...words) => on(['approve', 'plan.json', '--key', `${who}.pem`, ...words]),
    async approve(who, file = 'plan.json') {
      const asked = on(['approve', file, '--key', `${who}.pem`]);
      await asked.shows('Approve ');
      asked.type('y\r');
      return asked.ended;
    },
    approval(by, more = {}) {
      const statement = {
        when: new Date().toISOString(),
        policies: [sha256(readFileSync(at('policy.yaml')))],
      };
      return fileOf(approvalOf(plan(), [], by, { ...statement, ...more }));
    },
    async refused(...words) {
      const sent = forwarder.done.length;
      const { code, stderr } = await home.run([...words, '--json']);
      if (forwarder.done.length > sent) throw new Error(`It sent ${forwarder.done.slice(sent).join(', ')}`);
      const { error } = JSON.parse(stderr.trim().split('\n').at(-1) ?? '') as { error: Failed };
      return { ...error, exit: code };
    },
    async reset() {
      delete home.env.DOCS_POLICY;
      for (const name of ['plan.json.approvals', 'undo.json', 'undo.json.approvals'])
        rmSync(at(name), { force: true });
      await control.seed(seed, { isExport: true });
      forwarder.reset();
    },
    async close() {
      await forwarder.close();
      await close();
      home.remove();
    },
  };
}
