import {
  allowsRole,
  atMostOf,
  type Known,
  neededRole,
  ownRoles,
  placesNamed,
  roleOf,
} from '../../access/own-role.js';
import { getMember } from '../../api/resources/members.js';
import { listOrgs, type Organization } from '../../api/resources/orgs.js';
import { DocsError } from '../../base/errors.js';
import { defined } from '../../base/values.js';
import { callsOf, type OutlineEntry, outlineTree } from '../../cli/declare/outline.js';
import { walkLine } from '../../cli/parse/mistakes.js';
import { commandTable, gatedCommand } from '../../cli/run/policy-gate.js';
import type { Report, ReportEnding, ReportRequest, Session } from '../../cli/run/run-report.js';
import { verdictOn } from '../../policy/decide.js';
import { findCredential } from '../../settings/credentials.js';

/** `docs auth can-i`: what role and policies say to each command. */

interface Row {
  command: string;
  /** The role that it needs; null if it sends nothing, or what it sends depends on its input. */
  needs: string | null;
  byRole: 'yes' | 'no' | 'unknown';
  policy: 'allow' | 'deny' | 'ask';
  rule?: string;
  file?: string;
  line?: number;
  unless: string[];
}

interface Own extends Known {
  /** Why the role could not be read. */
  cause?: DocsError;
}

interface Answer {
  rows: readonly Row[];
  own: Own;
  /** What to run where it must be approved, if one command was asked about: the exit code is the answer then. */
  instead?: string;
  policies: number;
}

export const canIReport: Report<Answer> = {
  async read(asked) {
    const { session, input, groups } = asked;
    const words = [input.args.command ?? []].flat().map(String);
    const { path, command } = await walkLine(words, groups, session.io.platform);
    const named = path.join(' ');
    const tree = await outlineTree(groups);
    const isNamed = (one: string) => one === named || (command === undefined && one.startsWith(`${named} `));
    const entries = words.length === 0 ? tree : tree.filter((one) => isNamed(one.path));
    const policies = session.gate?.policies ?? [];
    const own = await ownRole(session, input.options);
    const table = await commandTable(groups);
    const rows = entries.map((entry) => rowOf(entry, own, { policies, table }));
    const instead = command === undefined ? undefined : entries.map(planUsage)[0];
    return { rows, own, ...defined({ instead }), policies: policies.length };
  },
  rows: ({ rows }) => rows,
  end(answer, asked) {
    const { rows, own, instead } = answer;
    const [row] = rows;
    if (instead !== undefined && row !== undefined) return endOfOne(row, own, instead);
    return own.cause === undefined ? { note: noteOfAll(answer, asked) } : unreadRole(own.cause);
  },
};

type Typed = ReportRequest['input']['options'];

interface Guarded {
  policies: Parameters<typeof verdictOn>[0];
  table: Parameters<typeof verdictOn>[3];
}

function rowOf({ path, command }: OutlineEntry, own: Own, { policies, table }: Guarded): Row {
  const calls = callsOf(command);
  // The requests of a carrier are what somebody types or has saved.
  const isOpen = command.carrier === true;
  const named = isOpen ? [] : placesNamed(own, calls);
  const { verdict, ...found } = verdictOn(policies, gatedCommand(path, command), command.operations, table);
  return {
    command: path,
    needs: isOpen ? null : (neededRole(calls) ?? null),
    byRole: isOpen ? 'unknown' : allowsRole(own, calls),
    policy: verdict,
    ...defined({ rule: found.rule, file: found.file, line: found.line }),
    unless: [...found.unless, ...named.map((field) => `rights in its ${field}`)],
  };
}

/** The role that was typed, else that of the token: by the permissions that an organization lists, else by the member. */
async function ownRole(session: Session, { role: typed, org: named }: Typed): Promise<Own> {
  const asked = ownRoles.find((one) => one === typed);
  if (asked !== undefined) return { role: asked };
  const organizationId = typeof named === 'string' ? named : session.settings.org?.value;
  try {
    const client = await session.client();
    let org: Organization | undefined;
    for await (const one of client.call(listOrgs, {})) {
      if (organizationId === undefined || one.id === organizationId) org = one;
      if (org !== undefined) break;
    }
    const role = roleOf(org?.permissions);
    if (role !== undefined || org === undefined) return { role: role ?? null };
    const member = (await findCredential(session.io, session.settings))?.member;
    if (member === undefined) return { role: null, roleAtMost: atMostOf(org.permissions) };
    const found = await client.call(getMember, { path: { organizationId: org.id, userId: member.id } });
    return { role: found.role ?? 'guest' };
  } catch (cause) {
    // Policies are answered for without a platform, too.
    if (!(cause instanceof DocsError) || session.io.signal.aborted) throw cause;
    return { role: null, cause };
  }
}

/** @param instead what to run where it must be approved */
function endOfOne(row: Row, own: Own, instead: string): ReportEnding {
  const { command, byRole, policy, rule, file, line, unless } = row;
  const at = `(${JSON.stringify(rule)}, ${file}:${line})`;
  if (policy === 'deny') {
    const message = `policy denies docs ${command} ${at}; nothing was sent`;
    return ends(row, ['forbidden', 'policy_would_deny'], message, 'docs policy explain');
  }
  if (byRole === 'no') {
    const message = `docs ${command} needs the role ${row.needs}, and ${roleWords(own)}; nothing was changed`;
    return ends(row, ['forbidden', 'role_too_low'], message, 'docs status');
  }
  if (byRole === 'unknown' && own.cause !== undefined) return unreadRole(own.cause, { ...row });
  if (policy === 'ask') {
    const message = `docs ${command} requires an approved plan ${at}; nothing was sent`;
    return ends(row, ['findings', 'policy_would_ask'], message, instead);
  }
  if (byRole === 'unknown') {
    const message = `whether the role allows docs ${command} depends on the request or on rights in a space`;
    return ends(row, ['partial', 'role_unknown'], message, 'docs access explain --help');
  }
  const test = `Test a whole line with docs policy test -- ${command} …`;
  return unless.length === 0 ? {} : { note: `Depends on its input: ${unless.join('; ')}. ${test}` };
}

function ends(
  row: Row,
  [kind, code]: ['forbidden' | 'findings' | 'partial', string],
  message: string,
  hint: string,
): ReportEnding {
  return { failure: new DocsError(kind, code, message, { outcome: 'not-sent', hint, details: { ...row } }) };
}

/** Fails as the request that should have read the role did. */
function unreadRole(cause: DocsError, details?: Record<string, unknown>): ReportEnding {
  return {
    failure: cause.changed(defined({ details }), `the role of this token is unknown: ${cause.message}`),
  };
}

/** The same command as a plan, which can be approved. */
function planUsage({ path, command }: OutlineEntry): string {
  if (!command.options.some(({ name }) => name === 'save-plan')) return 'docs policy explain';
  const required = command.args.filter((one) => one.required).map(({ name }) => `<${name}>`);
  return ['docs', path, ...required, '--save-plan', 'plan.json'].join(' ');
}

function roleWords({ role, roleAtMost }: Own): string {
  return role === null
    ? `the role of this token is at most ${roleAtMost}`
    : `the role of this token is ${role}`;
}

function noteOfAll({ own, policies }: Answer, { input }: ReportRequest): string {
  const whose = typeof input.options.role === 'string' ? 'asked about' : 'of this token';
  const role = own.role ?? (own.roleAtMost === undefined ? 'unknown' : `${own.roleAtMost} at most`);
  const guard = policies === 0 ? 'No policy is in force.' : 'All policies in force must allow a command.';
  return `Role ${whose}: ${role}. Rights in single spaces and sites are not looked at. ${guard}`;
}
