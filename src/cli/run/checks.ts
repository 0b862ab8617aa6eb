import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { getOrg, listOrgs } from '../../api/resources/orgs.js';
import { type Role, roles } from '../../api/shapes.js';
import { maskCredentials, proxyFor } from '../../api/transport/address.js';
import { trustWith } from '../../api/transport/certificates.js';
import { DocsError } from '../../base/errors.js';
import { isBinary, runtimeMaker, runtimeName, startedAs } from '../../base/own-program.js';
import { defined } from '../../base/values.js';
import { version } from '../../base/version.js';
import { findCredential } from '../../settings/credentials.js';
import { settingsPaths } from '../../settings/paths.js';
import { readSettings } from '../../settings/settings.js';
import type { GroupEntry } from '../declare/command.js';
import type { Session } from '../declare/session.js';
import { commandTable } from './policy-gate.js';

/** The checks of `docs doctor`, one line each. (RELIABILITY, "Proxies and certificates") */

/** What one check found. */
export interface Finding {
  check: string;
  state: 'ok' | 'warning' | 'problem';
  detail: string;
  /** One command to run next. */
  hint?: string;
  /** Its exit code is that of the run. */
  failure?: DocsError;
}

/** Clocks further apart than this break tokens and waits. */
const clockToleranceMs = 60_000;

/** Looks at everything, whatever fails on the way. */
export async function checkAll(session: Session, groups: readonly GroupEntry[]): Promise<Finding[]> {
  const { io, settings } = session;
  return [
    ok('node', `${runtimeName()} on ${process.platform} ${process.arch}, docs ${version}`),
    ok('install', `${version}, ${installWay(startedAs())}; only the platform is asked`),
    await attempt('settings', () => {
      readSettings(io, {});
      return settingsPaths(io).configFile;
    }),
    ok('project file', settings.projectFile ?? 'none'),
    await attempt('proxy', () => proxy(session)),
    await attempt('certificates', () => certificates(session)),
    await attempt('sign-in', () => signIn(session)),
    ...(await connection(session)),
    ...(session.gate === undefined ? [] : await policyRole(session, groups)),
    ...(session.gate === undefined ? [] : await guardPlaces(session)),
  ];
}

function ok(check: string, detail: string): Finding {
  return { check, state: 'ok', detail };
}

/** A check that fails by an error: its sentence is the detail, its hint the hint. */
async function attempt(check: string, look: () => string | Promise<string>): Promise<Finding> {
  try {
    return ok(check, await look());
  } catch (cause) {
    if (!(cause instanceof DocsError)) throw cause;
    const failure = beyondDoctor(cause);
    const { hint } = failure.failure;
    return { check, state: 'problem', detail: failure.message, failure, ...defined({ hint }) };
  }
}

/** The same failure for somebody who has just run `docs doctor`, which most hints suggest. */
export function beyondDoctor(error: DocsError): DocsError {
  const isDoctor = /^docs doctor\b/.test(error.failure.hint ?? '');
  return isDoctor ? error.changed({ hint: nextStep(error) }) : error;
}

function nextStep({ kind, code }: DocsError): string {
  if (code === 'tls') return 'docs orgs list --ca-file <file>';
  if (kind === 'configuration' || code.startsWith('proxy')) return 'docs help environment';
  if (kind === 'bug') return 'docs --version';
  return kind === 'network' ? 'docs config get base-url' : 'docs api /v1/orgs --debug';
}

function proxy({ io, settings }: Session): string {
  const target = settings.baseUrl?.value;
  if (target === undefined) return 'none needed yet';
  const found = proxyFor(new URL(target), io.env);
  return found === undefined ? 'none' : maskCredentials(found.url.href);
}

async function certificates({ io, globals }: Session): Promise<string> {
  const file = globals.caFile ?? io.env.NODE_EXTRA_CA_CERTS;
  const own = `${runtimeMaker()}'s own`;
  if (file === undefined || file === '') return own;
  await trustWith(file, {});
  return `${own} and those of ${file}`;
}

async function signIn({ settings, io }: Session): Promise<string> {
  const where = `profile ${settings.profile.value} at ${settings.baseUrl?.value ?? 'no address'}`;
  const credential = await findCredential(io, settings);
  if (credential !== undefined) return `${where}, token from ${credential.where}`;
  if (settings.sandbox) return `${where}, token of the sandbox`;
  const hint = 'docs auth login';
  throw new DocsError('unauthenticated', 'signed_out', `${where}: no token`, { hint });
}

/** One small read; then the platform's clock against this machine's. */
async function connection(session: Session): Promise<Finding[]> {
  if (session.settings.baseUrl === undefined) return [];
  let platformNowMs: number | undefined;
  const answered = await attempt('connection', async () => {
    const client = await session.client();
    for await (const _ of client.call(listOrgs, {}, { most: 1 })) break;
    platformNowMs = client.platformNowMs;
    return 'the platform answers and accepts the token';
  });
  return answered.state === 'ok' ? [answered, await clock(session, platformNowMs)] : [answered];
}

async function clock({ io, settings }: Session, platformNowMs: number | undefined): Promise<Finding> {
  if (platformNowMs === undefined)
    return { check: 'clock', state: 'warning', detail: 'the platform sends no time' };
  // A server of the sandbox, which alone accepts such a token, is reached like any other platform.
  const isServed = (await findCredential(io, settings))?.token.startsWith('sbx_') === true;
  if (settings.sandbox || isServed) return ok('clock', 'the sandbox has a clock of its own');
  const differenceMs = io.now() - platformNowMs;
  const seconds = Math.round(Math.abs(differenceMs) / 1000);
  if (seconds < 2) return ok('clock', 'in step with the platform');
  const detail = `${seconds} s ${differenceMs < 0 ? 'behind' : 'ahead of'} the platform`;
  return { check: 'clock', state: Math.abs(differenceMs) > clockToleranceMs ? 'warning' : 'ok', detail };
}

/** How the running program came onto this machine, by where its files are. Nothing is asked, not even of npm. */

/** Folders that package managers keep programs in which are installed for a user or a machine. */
const globalFolders: readonly (readonly [part: RegExp, manager: string])[] = [
  [/[\\/]\.bun[\\/]install[\\/]global[\\/]/, 'bun'],
  [/[\\/]pnpm[\\/](?:global|[\w.-]+[\\/]global)[\\/]/i, 'pnpm'],
  [/[\\/]yarn[\\/](?:global|Data[\\/]global)[\\/]/i, 'yarn'],
];

/**
 * @param started the path as the system started it
 * @returns a phrase: `installed globally by npm, in /usr/local/lib/node_modules/@docs-cli/docs`
 */
export function installWay(started: string): string {
  if (isBinary) return `a program without Node, in ${realOf(started)}`;
  const real = realOf(started);
  const root = packageOf(real);
  if (root === undefined) return `started as ${started}`;
  if (/[\\/]_npx[\\/]/.test(root)) return `run by npx, in ${root}`;
  const modules = modulesOf(root);
  if (modules === undefined) {
    // Of a clone, the link on the PATH that it was started by.
    const link = started === real ? '' : `, linked from ${started}`;
    return `${existsSync(join(root, '.git')) ? 'clone' : 'files'} in ${root}${link}`;
  }
  const manager =
    globalFolders.find(([part]) => part.test(root))?.[1] ?? (isNpmGlobal(modules) ? 'npm' : undefined);
  if (manager !== undefined) return `installed globally by ${manager}, in ${root}`;
  return `dependency of ${dirname(modules)}`;
}

/** The nearest folder above the folder of a file that has a package.json; `bin` has one that is not a package's. */
function packageOf(file: string): string | undefined {
  for (let at = dirname(dirname(file)); ; at = dirname(at)) {
    if (existsSync(join(at, 'package.json'))) return at;
    if (at === dirname(at)) return undefined;
  }
}

/** The outermost `node_modules` folder that a package is in: with pnpm there are several. */
function modulesOf(root: string): string | undefined {
  const parts = root.split(sep);
  const at = parts.indexOf('node_modules');
  return at === -1 ? undefined : parts.slice(0, at + 1).join(sep);
}

/** npm keeps global packages in `<prefix>/lib/node_modules`, on Windows in `<prefix>\node_modules` beside `npm`. */
function isNpmGlobal(modules: string): boolean {
  const above = dirname(modules);
  if (basename(above) === 'lib' && !existsSync(join(above, 'package.json'))) return true;
  return existsSync(join(above, 'docs.cmd')) && !existsSync(join(above, 'package.json'));
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** What `docs doctor` says of the policies in force. */

/** Compares the role of the token with what the policies can allow, where both can be told. */
async function policyRole(session: Session, groups: readonly GroupEntry[]): Promise<Finding[]> {
  const policies = session.gate?.policies ?? [];
  if (policies.length === 0) return [];
  const files = policies.map(({ file }) => file).join(', ');
  const { highestRole } = await import('../../policy/decide.js');
  const needed = highestRole(policies, await commandTable(groups));
  const has = await roleOfToken(session);
  if (has === undefined || roles.indexOf(has) >= roles.indexOf(needed)) return [ok('policy', files)];
  const detail =
    `${files}: nothing that it allows needs a higher role than ${needed}, and the token has at least ${has}; ` +
    `a token of a member with the role ${needed} would hold even without the policy`;
  return [{ check: 'policy', state: 'warning', detail }];
}

/** Where the audit chain and the budgets of the policies in force lie, and whether they can be written. */
async function guardPlaces({ io }: Session): Promise<Finding[]> {
  const { chainPlaces, checkPlace } = await import('../../policy/place.js');
  return Promise.all(
    chainPlaces(io).map((place) =>
      attempt('policy state', () => {
        checkPlace(io, place);
        return place;
      }),
    ),
  );
}

/** The least role that the token must have for what it may do; undefined where the platform does not tell. */
async function roleOfToken(session: Session): Promise<Role | undefined> {
  const organizationId = session.settings.org?.value;
  if (organizationId === undefined || session.signedOut !== undefined) return undefined;
  try {
    const client = await session.client();
    const { permissions } = await client.call(getOrg, { path: { organizationId } });
    if (permissions?.admin === true) return 'admin';
    return permissions?.createContent === true ? 'create' : undefined;
  } catch (cause) {
    if (cause instanceof DocsError) return undefined;
    throw cause;
  }
}
