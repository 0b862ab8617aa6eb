import { listOrgs } from '../../api/resources/orgs.js';
import { maskCredentials } from '../../api/transport/base-url.js';
import { trustWith } from '../../api/transport/certificates.js';
import { proxyFor } from '../../api/transport/proxy.js';
import { DocsError } from '../../base/errors.js';
import { runtimeMaker, runtimeName, startedAs } from '../../base/own-program.js';
import { defined } from '../../base/values.js';
import { version } from '../../base/version.js';
import { findCredential } from '../../settings/credentials.js';
import { settingsPaths } from '../../settings/paths.js';
import { readSettings } from '../../settings/settings.js';
import type { GroupEntry } from '../declare/command.js';
import type { Session } from '../declare/session.js';
import { installWay } from './install-way.js';

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
    ok('install', `${version}, ${installWay(startedAs())}; it asks nothing but the platform`),
    await attempt('settings', () => {
      readSettings(io, {});
      return settingsPaths(io).configFile;
    }),
    ok('project file', settings.projectFile ?? 'none'),
    await attempt('proxy', () => proxy(session)),
    await attempt('certificates', () => certificates(session)),
    await attempt('sign-in', () => signIn(session)),
    ...(await connection(session)),
    ...(await policies(session, groups)),
  ];
}

/** Loaded where there is a policy. */
async function policies(session: Session, groups: readonly GroupEntry[]): Promise<Finding[]> {
  if (session.gate === undefined) return [];
  const { policyRole } = await import('./policy-role.js');
  const found = await policyRole(session, groups);
  return found === undefined ? [] : [{ check: 'policy', ...found }];
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
  const { kind, code, message, failure } = error;
  if (!/^docs doctor\b/.test(failure.hint ?? '')) return error;
  return new DocsError(kind, code, message, { ...failure, hint: nextStep(error) });
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
