import { shellWord } from '../../base/shell-word.js';
import { defined } from '../../base/values.js';
import type { ManualInput } from '../../cli/declare/command.js';
import { atPlace } from '../../cli/declare/place-flags.js';
import type { Session } from '../../cli/declare/session.js';
import { printDocument, wantsText } from '../../cli/run/for-reading.js';
import { warnOfMost } from '../../cli/run/output-flags.js';
import { isStructured } from '../../cli/run/output-form.js';
import { checkedReadingOf } from '../../cli/run/reading-of.js';
import type { Fact } from '../../document/document.js';
import { fieldPaths } from '../../output/field-paths.js';
import type { View } from '../../output/printer.js';
import { startProgress } from '../../output/progress.js';
import { findCredential } from '../../settings/credentials.js';
import { notAllRead } from '../../snapshot/unread.js';
import { readPlatform } from '../../workflows/overview/platform.js';
import { type Missing, Overview, parts } from '../../workflows/overview/report.js';
import { type Line, linesOf } from './lines.js';
import { localFacts } from './local.js';

/** `docs overview`: one object for programs, a row per line in a pipe, a text on a terminal. */

const reportView: View = { columns: [], ...fieldPaths(Overview) };
const rowView: View = {
  columns: [
    { path: 'part', keep: true },
    { path: 'state', as: 'state', keep: true },
    { path: 'value' },
    { path: 'command' },
  ],
  fields: ['part', 'state', 'value', 'command'],
  id: 'part',
};

/** NDJSON has one row a line; JSON and YAML the whole. */
function wantsReport(session: Session): boolean {
  const isRows = session.settings.output?.value === 'ndjson' && session.globals.jq === undefined;
  return isStructured(session) && !isRows;
}

/** @throws DocsError partial `not_all_read` (exit 3) where something could not be read; as `readPlatform` */
export async function printOverview(session: Session, input: ManualInput): Promise<void> {
  const { printer, io } = session;
  await printer.check(wantsReport(session) ? reportView : rowView);
  const { report, missing, organization } = await read(session, input);
  if (wantsReport(session)) await printer.one(report, reportView);
  else {
    const around = { organization, missing, nowMs: io.now(), platform: io.platform };
    const lines = linesOf(report, around).map((line) => ({ ...line, command: here(session, line.command) }));
    const facts = { kind: 'facts' as const, items: lines.map(factOf) };
    if (wantsText(session)) await printDocument(session, { title: '', parts: [facts] });
    else
      await printer.list(
        lines.map(({ label: _, ...row }) => row),
        rowView,
      );
  }
  refuseMissing(session, missing);
}

interface Read {
  report: Overview;
  missing: Missing[];
  /** Its id, which the platform may not have told. */
  organization: string;
}

async function read(session: Session, input: ManualInput): Promise<Read> {
  const { io, globals, settings } = session;
  const reading = await checkedReadingOf(session, input);
  const progress = startProgress(io, { text: 'Reading the organization', quiet: globals.quiet ?? false });
  const nowMs = () => reading.client.platformNowMs ?? io.now();
  const owner = (await findCredential(io, settings))?.member?.id;
  const platform = await readPlatform(reading, { nowMs, owner }).finally(() => progress.stop());
  const local = localFacts(session, reading.organizationId);
  const missing = [...platform.missing, ...local.missing].toSorted(
    (one, other) => parts.indexOf(one.part) - parts.indexOf(other.part),
  );
  const unread = missing.map(({ part, what, error: { code, failure } }) => ({
    ...{ part, what, code },
    ...defined({ status: failure.status }),
  }));
  const { openapi, saml, ...first } = platform.facts;
  const { links, ...last } = local.facts;
  const facts = { ...first, links, openapi, saml, ...last };
  return { report: { ...facts, unread }, missing, organization: reading.organizationId };
}

/** The command as it has to be typed after this one: on the same platform, in the same organization. */
function here({ globals, settings, io }: Session, command: string): string {
  const { profile, baseUrl, policy, sandbox } = globals;
  const placed = atPlace(command, defined({ profile, baseUrl, policy, sandbox }), io.platform);
  const ofOrg = !/^docs (orgs get|backup status|jobs) ?/.test(command);
  if (settings.org?.source !== 'flag' || !ofOrg) return placed;
  return `${placed} --org ${shellWord(settings.org.value, io.platform)}`;
}

const tones: Partial<Record<Line['state'], NonNullable<Fact['tone']>>> = {
  attention: 'warn',
  unknown: 'warn',
  never: 'quiet',
};

function factOf({ label, value, command, state }: Line): Fact {
  return defined({ label, value, beside: command, tone: tones[state] });
}

/** What was not read, a line each; then the failure. */
function refuseMissing(session: Session, missing: readonly Missing[]): void {
  if (missing.length === 0) return;
  warnOfMost(
    session,
    missing.map(({ what }) => `Not read: ${what}`),
  );
  const names = [...new Set(missing.map(({ part }) => part))];
  throw notAllRead(`The overview lacks what could not be read: ${names.join(', ')}.`, {
    unread: missing,
    details: { unread: missing.map(({ part, what, error }) => ({ part, what, error: error.toJSON() })) },
    hint: 'docs auth status',
  });
}
