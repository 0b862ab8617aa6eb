import { listOrgs } from '../api/resources/orgs.js';
import { maskCredentials } from '../api/transport/base-url.js';
import { trustWith } from '../api/transport/certificates.js';
import { proxyFor } from '../api/transport/proxy.js';
import { Type } from '../api/type.js';
import { manual } from '../cli/declare/define.js';
import type { Session } from '../cli/declare/session.js';
import { DocsError } from '../errors.js';
import { closed, maybe, oneOf, text } from '../output/printed-shapes.js';
import { findCredential } from '../settings/credentials.js';
import { settingsPaths } from '../settings/paths.js';
import { readSettings } from '../settings/settings.js';
import { version } from '../version.js';

/** `docs doctor`: what a bad day may come from, one line a check. (RELIABILITY, "Proxies and certificates") */

interface Check {
  check: string;
  state: 'ok' | 'warning' | 'problem';
  detail: string;
  /** One command to run next. */
  hint?: string;
}

/** A check, and the failure behind it, whose exit code the run ends with. */
type Finding = Check & { failure?: DocsError };

/** Clocks further apart than this break tokens and waits. */
const clockToleranceMs = 60_000;

export const doctor = manual({
  name: 'doctor',
  summary: 'Check settings, sign-in, connection and clock',
  why:
    'Run it when a command fails unexpectedly: it checks Node, settings, proxy, certificates, sign-in, ' +
    'connection and clock. It changes nothing and prints no token.',
  operations: [listOrgs],
  returns: Type.Array(
    closed({ check: text, state: oneOf('ok', 'warning', 'problem'), detail: text, hint: maybe }),
  ),
  columns: [{ path: 'state', as: 'state' }, 'check', 'detail', 'hint'],
  id: 'check',
  examples: {
    doctor: 'print one line per check',
    'doctor --jq \'.[] | select(.state != "ok")\'': 'print only the checks that failed',
  },
  tolerant: true,
  async run(session, _, { view }) {
    await session.printer.check(view);
    const findings: Finding[] = [
      node(),
      settingsFiles(session),
      projectFile(session),
      proxy(session),
      await certificates(session),
    ];
    findings.push(await signIn(session), ...(await connection(session)));
    const items = findings.map(({ failure: _, ...check }) => check);
    await session.printer.list(items, view);
    const worst = findings.find(({ state }) => state === 'problem');
    if (worst !== undefined)
      throw worst.failure ?? new DocsError('configuration', 'not_well', `${worst.check}: ${worst.detail}`);
  },
});

/** A check that fails by an error: its sentence is the detail, its hint the hint. */
function attempt(check: string, look: () => string): Finding {
  try {
    return { check, state: 'ok', detail: look() };
  } catch (cause) {
    return problem(check, cause);
  }
}

function problem(check: string, cause: unknown): Finding {
  if (!(cause instanceof DocsError)) throw cause;
  const { hint } = cause.failure;
  return {
    check,
    state: 'problem',
    detail: cause.message,
    failure: cause,
    ...(hint !== undefined && { hint }),
  };
}

function node(): Finding {
  return {
    check: 'node',
    state: 'ok',
    detail: `${process.version} on ${process.platform} ${process.arch}, docs ${version}`,
  };
}

function settingsFiles({ io }: Session): Finding {
  return attempt('settings', () => {
    readSettings(io, {});
    return settingsPaths(io).configFile;
  });
}

function projectFile({ settings }: Session): Finding {
  return { check: 'project file', state: 'ok', detail: settings.projectFile ?? 'none' };
}

function proxy({ io, settings }: Session): Finding {
  return attempt('proxy', () => {
    const target = settings.baseUrl?.value;
    if (target === undefined) return 'none needed yet';
    const found = proxyFor(new URL(target), io.env);
    return found === undefined ? 'none' : maskCredentials(found.url.href);
  });
}

async function certificates({ io, globals }: Session): Promise<Finding> {
  const file = globals.caFile ?? io.env.NODE_EXTRA_CA_CERTS;
  if (file === undefined || file === '') return { check: 'certificates', state: 'ok', detail: "Node's own" };
  try {
    await trustWith(file, {});
    return { check: 'certificates', state: 'ok', detail: `Node's own and those of ${file}` };
  } catch (cause) {
    return problem('certificates', cause);
  }
}

async function signIn(session: Session): Promise<Finding> {
  const { settings, io } = session;
  const where = `profile ${settings.profile.value} at ${settings.baseUrl?.value ?? 'no address'}`;
  try {
    const credential = await findCredential(io, settings);
    if (credential !== undefined)
      return { check: 'sign-in', state: 'ok', detail: `${where}, token from ${credential.where}` };
    if (settings.sandbox) return { check: 'sign-in', state: 'ok', detail: `${where}, token of the sandbox` };
    const message = `${where}: no token`;
    return problem(
      'sign-in',
      new DocsError('unauthenticated', 'signed_out', message, { hint: 'docs auth login' }),
    );
  } catch (cause) {
    return problem('sign-in', cause);
  }
}

/** One small read; then the platform's clock against this machine's. */
async function connection(session: Session): Promise<Finding[]> {
  if (session.settings.baseUrl === undefined) return [];
  try {
    const client = await session.client();
    for await (const _ of client.call(listOrgs, {}, { most: 1 })) break;
    const answered: Finding = {
      check: 'connection',
      state: 'ok',
      detail: 'the platform answers and takes the token',
    };
    return [answered, clock(session, client.platformNowMs)];
  } catch (cause) {
    return [problem('connection', cause)];
  }
}

function clock({ io, settings }: Session, platformNowMs: number | undefined): Finding {
  if (platformNowMs === undefined)
    return { check: 'clock', state: 'warning', detail: 'the platform tells no time' };
  const differenceMs = io.now() - platformNowMs;
  const seconds = Math.round(Math.abs(differenceMs) / 1000);
  if (settings.sandbox) return { check: 'clock', state: 'ok', detail: 'the sandbox has a clock of its own' };
  const detail = `${seconds} s ${differenceMs < 0 ? 'behind' : 'ahead of'} the platform`;
  const far = Math.abs(differenceMs) > clockToleranceMs;
  return {
    check: 'clock',
    state: far ? 'warning' : 'ok',
    detail: seconds < 2 ? 'in step with the platform' : detail,
  };
}
