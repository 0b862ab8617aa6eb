import { resolve } from 'node:path';
import type { Member } from '../../api/resources/members.js';
import { DocsError, usageError } from '../../base/errors.js';
import { shellWord } from '../../base/shell-word.js';
import type { ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { readBytes, readIds, textOf } from '../../cli/parse/typed-text.js';
import { refuse } from '../../cli/run/refuse.js';
import type { Source } from '../../jobs/journal.js';
import { sourceOf } from '../../jobs/resume.js';
import { counted } from '../../output/counted.js';
import type { Reading } from '../../reading/reading.js';
import { type Name, wrongNames } from '../../workflows/offboard/people.js';
import { lookUpMany, namesFrom } from '../../workflows/sso-link/people.js';

export interface People {
  /** Without the canary, each once. */
  members: Member[];
  canary: Member | undefined;
  source: Source | undefined;
}

/**
 * Who is to be linked, from arguments and flags.
 * @throws DocsError usage where there is nobody; as `namesFrom`, `lookUpMany`, `wrongNames`
 */
export async function peopleOf(
  session: Session,
  { args, options }: ManualInput,
  reading: Reading,
): Promise<People> {
  const typed = await readIds(session, [args.user ?? []].flat(), 'user');
  const file = await fileOf(session, options.from);
  const names: Name[] = [...typed.map((text) => ({ text })), ...file.names];
  const canaryName = typeof options.canary === 'string' ? [{ text: options.canary }] : [];
  refuseNobody(names, options, canaryName.length > 0);
  const looked = await lookUpMany(reading, [...names, ...canaryName]);
  refuse(session, wrongNames(looked));
  const found = looked.flatMap(({ member }) => member ?? []);
  const canary = canaryName.length > 0 ? found.at(-1) : undefined;
  const all = new Map(found.slice(0, names.length).map((member) => [member.id, member]));
  const twice = names.length - all.size;
  if (twice > 0) session.printer.note(`Ignored ${counted(twice, 'duplicate')} of ${names.length} members.`);
  const members = [...all.values()].filter(({ id }) => id !== canary?.id);
  return { members, canary, source: file.source };
}

interface FileNames {
  names: Name[];
  source: Source | undefined;
}

async function fileOf(session: Session, from: unknown): Promise<FileNames> {
  if (typeof from !== 'string') return { names: [], source: undefined };
  const bytes = await readBytes(session, from, '--from');
  const { names, unused, others } = await namesFrom(textOf(session, bytes, from), from).catch((cause) => {
    throw exported(cause, session, from);
  });
  if (unused.length > 0) session.printer.note(`Ignored columns: ${unused.join(', ')}.`);
  if (others > 0) session.printer.note(`Ignored ${counted(others, 'row')} whose status is not to-link.`);
  return { names, source: from === '-' ? undefined : sourceOf(resolve(session.io.cwd, from), bytes) };
}

/** An export of the identity provider has other columns: `sso readiness` makes of it what can be linked. */
function exported(cause: unknown, { io }: Session, from: string): unknown {
  if (!(cause instanceof DocsError) || cause.code !== 'missing_column' || from === '-') return cause;
  const hint = `docs sso readiness --idp ${shellWord(from, io.platform)} --status to-link -o csv`;
  return usageError('missing_column', cause.message, { ...cause.failure, hint });
}

function refuseNobody(
  names: readonly Name[],
  { allowEmpty, from, canaryOnly }: ManualInput['options'],
  canary: boolean,
): void {
  if (names.length > 0 || allowEmpty === true || (canary && canaryOnly === true)) return;
  if (from !== undefined)
    throw usageError('no_items', 'No members given; add --allow-empty if that is intended.');
  const message = 'No members given; pass <user...>, or --from with a file.';
  throw usageError('missing_argument', message, { hint: 'docs sso readiness' });
}
