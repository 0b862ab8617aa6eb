import { prepare } from '../../api/client.js';
import { DocsError } from '../../base/errors.js';
import { redactQuery } from '../../base/redaction.js';
import { shellWord } from '../../base/shell-word.js';
import { defined } from '../../base/values.js';
import type { GroupEntry } from '../../cli/declare/command.js';
import { atPlace } from '../../cli/declare/place-flags.js';
import type { Session } from '../../cli/declare/session.js';
import { gatedCommand } from '../../cli/run/gated.js';
import { openGate } from '../../cli/run/open-gate.js';
import { openSession } from '../../cli/run/session.js';
import type { View } from '../../output/printer.js';
import { countsOf, foresee } from '../../policy/budget.js';
import { decideCommand } from '../../policy/decide.js';
import type { Gate, GatedCommand, Send } from '../../policy/gate.js';
import { unmappedVerdict } from '../../policy/mapping.js';
import type { Verdict } from '../../policy/policy.js';
import { type PolicyFile, policyFiles } from '../../settings/policy-files.js';
import { type TestedLine, testedLine } from './tested-line.js';
import { type Tested, testedRequests } from './tested-requests.js';

/** What was asked, and what the policies say to it. */
interface Row {
  what: string;
  verdict: Verdict;
}

/**
 * `docs policy test`: prints the verdicts on a command line and its requests.
 * @throws DocsError forbidden `policy_would_deny` where something is denied; findings `policy_would_ask` where something
 *   requires an approved plan; as the command itself, where it could not begin
 */
export async function testCommand(
  session: Session,
  words: readonly string[],
  groups: readonly GroupEntry[],
  view: View,
): Promise<void> {
  await session.printer.check(view);
  const line = await testedLine(session, words, groups);
  const rows = await rowsOf(session, line, groups);
  await session.printer.list(rows.map(printed), view);
  const worst =
    rows.find(({ verdict }) => verdict.is === 'deny') ?? rows.find(({ verdict }) => verdict.is === 'ask');
  if (worst !== undefined) throw failure(session, line, worst);
}

function printed({ what, verdict }: Row): Record<string, unknown> {
  const why = verdict.is === 'deny' ? verdict.why : undefined;
  return defined({ what, verdict: verdict.is, ...verdict.by, why });
}

async function rowsOf(session: Session, line: TestedLine, groups: readonly GroupEntry[]): Promise<Row[]> {
  const { io, globals, argv, path, command, input } = line;
  const open = (settings: Session['settings'], files: readonly PolicyFile[], send: Send) =>
    openGate({ io, argv, groups, path, command, settings, trial: true }, files, send);
  const inner = await openSession({ io, globals, argv }, input, command, open);
  try {
    const files = policyFiles(io, inner.settings);
    const send: Send = async (request) => (await inner.client()).send(request);
    // What changes a copy of the platform alone runs under no policy.
    if (files.length > 0 && inner.gate === undefined) {
      session.printer.note('Policies do not apply to the sandbox, so the command would run.');
      return [{ what: `docs ${path}`, verdict: { is: 'allow' } }];
    }
    const gate = inner.gate ?? (await open(inner.settings, files, send));
    if (files.length === 0) session.printer.note('No policy is in force, so everything is allowed.');
    const gated = gatedCommand(path, command, { ...inner, input });
    const own: Row = { what: `docs ${path}`, verdict: ownVerdict(gate, gated, command.repairs === true) };
    if (own.verdict.is === 'deny' || !gated.changes) return [own];
    const requests = await testedRequests(inner, line, groups).catch(deniedRead);
    if (!Array.isArray(requests) && requests !== undefined) return [own, requests];
    if (requests === undefined) {
      if (gated.effect !== 'local')
        session.printer.note('Its requests are not known beforehand; each is checked as it is sent.');
      return [own];
    }
    return [own, ...(await requestRows(io, gate, requests))];
  } finally {
    await inner.close();
  }
}

/** What it reads before it changes anything is held against the policies, too. */
function deniedRead(cause: unknown): Row {
  if (!(cause instanceof DocsError) || cause.code !== 'policy_denied') throw cause;
  const { file, line, rule } = cause.failure.details ?? {};
  const by = { file: String(file), line: Number(line), rule: String(rule) };
  return { what: 'its reads', verdict: { is: 'deny', by, why: cause.message } };
}

function ownVerdict({ policies }: Gate, gated: GatedCommand, repairs: boolean): Verdict {
  // What tells why something is denied is never denied itself.
  return repairs && gated.effect === 'read' ? { is: 'allow' } : decideCommand(policies, gated);
}

async function requestRows(io: Session['io'], gate: Gate, requests: readonly Tested[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (const request of requests) {
    if ('unmapped' in request)
      rows.push({ what: request.text, verdict: unmappedVerdict(gate.policies, request) });
    else rows.push({ what: textOf(request), verdict: await gate.verdict(request) });
  }
  const counts = countsOf(requests.flatMap((one) => ('unmapped' in one ? [] : [one])));
  const over = foresee(io, gate.policies, counts);
  return over === undefined ? rows : [...rows, { what: 'all requests together', verdict: over }];
}

function textOf(request: Exclude<Tested, { unmapped: string }>): string {
  const { method, path } = prepare(request.op, request.input);
  return `${method} ${redactQuery(path)}`;
}

function failure(session: Session, line: TestedLine, { what, verdict }: Row): DocsError {
  const { io, globals } = session;
  const { file, line: at, rule } = verdict.by ?? { file: '', line: 1, rule: '' };
  const where = `(${JSON.stringify(rule)}, ${file}:${at})`;
  const failure = { outcome: 'not-sent', details: { file, line: at, rule, verdict: verdict.is } } as const;
  if (verdict.is === 'ask') {
    const words = ['docs', ...line.argv].map((word) => shellWord(word, io.platform)).join(' ');
    const canPlan = line.command.options.some(({ name }) => name === 'save-plan');
    const hint = canPlan
      ? atPlace(`${words} --save-plan plan.json`, globals, io.platform)
      : 'docs policy explain';
    return new DocsError('findings', 'policy_would_ask', `${what} requires an approved plan ${where}`, {
      ...failure,
      hint,
    });
  }
  const why = verdict.is === 'deny' ? verdict.why : 'it is denied';
  return new DocsError(
    'forbidden',
    'policy_would_deny',
    `Policy denies ${what}: ${why} ${where}; nothing was sent.`,
    {
      ...failure,
      hint: atPlace('docs policy explain', globals, io.platform),
    },
  );
}
