import { resolve, sep } from 'node:path';
import { getOrg } from '../../api/resources/orgs.js';
import { usageError } from '../../base/errors.js';
import type { Io } from '../../base/io.js';
import { mapStrings } from '../../base/redaction.js';
import { literal } from '../../base/values.js';
import type { Document, DocumentPart, Labelled } from '../../document/document.js';
import { ReaderGone } from '../../output/sink.js';
import { type Reading, readFailure } from '../../snapshot/unread.js';
import { camel, type ManualInput } from '../declare/command.js';
import type { Session } from '../declare/session.js';
import { originOf } from './origin.js';

/** `--html` of the commands that have it. Nothing of reports is loaded without the flag. */
export interface ReportPage {
  /**
   * Writes the page, and tells so on standard error; with `--dry-run` it only tells that it did not.
   * @param options.quiet whether it tells nothing, as the page is written again later
   * @throws DocsError as `writeReport`
   */
  write(report: Document<DocumentPart>, options?: { quiet?: boolean }): Promise<void>;
  /** Tells that there is no page, where the reader of the output left before all was read; else it tells nothing. */
  left(cause: unknown): void;
}

/**
 * What `--html` asks for; undefined without it. To be called before anything is read.
 * @param others further flags of the command that write a file, such as `report-file`
 * @throws DocsError usage `bad_value`, `file_exists`, `contradiction`; local-io
 */
export async function reportPage(
  { io, printer, globals, nowMs }: Pick<Session, 'io' | 'printer' | 'globals' | 'nowMs'>,
  { options }: Pick<ManualInput, 'options'>,
  others: readonly string[] = [],
): Promise<ReportPage | undefined> {
  if (typeof options.html !== 'string') return undefined;
  const { reportFile, writeReport } = await import('../../reports/write.js');
  const file = await reportFile(options.html, io.cwd);
  for (const flag of ['save-plan', ...others]) {
    const other = options[camel(flag)];
    if (typeof other === 'string' && resolve(io.cwd, other) === file.path)
      throw usageError('contradiction', `--html and --${flag} name the same file`);
  }
  return {
    async write(report, { quiet = false } = {}) {
      const said = globals.dryRun
        ? `Dry run: did not write ${file.name}.`
        : await writeReport({ now: nowMs, own: io.own }, file, withoutPlaces(io, report));
      if (!quiet) printer.note(said);
    },
    left(cause) {
      const gone = cause instanceof ReaderGone || io.signal.aborted;
      if (gone) printer.note(`Did not write ${file.name}: not all of it was read.`);
    },
  };
}

/** A page is sent to others: a path in the working folder is named from there, one in the home by `~`. */
function withoutPlaces({ cwd, env }: Pick<Io, 'cwd' | 'env'>, report: Document<DocumentPart>) {
  const places = [
    [cwd, ''],
    [env.HOME ?? '', `~${sep}`],
  ] as const;
  const known = places
    .filter(([place]) => place.length > 1)
    // Not in the middle of an address.
    .map(([place, name]) => [new RegExp(`(?<![\\w./-])${literal(place + sep)}`, 'g'), name] as const);
  return mapStrings(report, (text) =>
    known.reduce((told, [place, name]) => told.replaceAll(place, name), text),
  ) as Document<DocumentPart>;
}

type Facts = readonly Labelled[];

/** What pages of `--html` say of where they come from. */

/** The title of an organization, which is read; its id where it cannot be. @throws DocsError as `readFailure` */
export async function organizationTitle({ client, organizationId, signal }: Reading): Promise<string> {
  try {
    return (await client.call(getOrg, { path: { organizationId } })).title;
  } catch (cause) {
    readFailure(cause, signal);
    return organizationId;
  }
}

/**
 * Where a page was read: the organization and the platform.
 * @param organization with its title, or its id alone; empty where there is none
 */
export function placeFacts(session: Session, organization: string | { id: string; title: string }): Facts {
  const { id, title } = typeof organization === 'string' ? { id: organization, title: '' } : organization;
  const named = title === '' || title === id ? id : `${title} (${id})`;
  return [...(id === '' ? [] : [['Organization', named] as const]), ...platformFact(originOf(session))];
}

/** @param origin of the session or of a plan; a sandbox in a file of this machine is not named by its path */
export function platformFact(origin: string): Facts {
  return origin === '' ? [] : [['Platform', platformName(origin)]];
}

/** The platform as a page names it: its address, or `sandbox`. */
export function platformName(origin: string): string {
  return origin.startsWith('sandbox:') ? 'sandbox' : origin;
}

/** What a page says first where it was made in a rehearsal. */
export function rehearsalWords({ settings }: Pick<Session, 'settings'>): string[] {
  if (settings.rehearsal === undefined) return [];
  return ['Rehearsal: this is a copy of the organization; the platform was not changed.'];
}
