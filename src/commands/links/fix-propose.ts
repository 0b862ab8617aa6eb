import { redactText } from '../../base/redaction.js';
import { defined } from '../../base/values.js';
import type { GroupEntry, ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { readAll } from '../../jobs/in-order.js';
import type { Draft, PlanNote } from '../../plans/plan.js';
import type { Reading } from '../../reading/reading.js';
import { contentDrafts, requestCalled } from '../../restore/content.js';
import { spaceName } from '../../workflows/link-check/finding.js';
import type { SpaceFix } from '../../workflows/link-fix/archives.js';
import type { FoundLinks } from '../../workflows/link-fix/find.js';
import { rowOf } from '../../workflows/link-fix/rows.js';
import { propose } from '../plan/propose.js';
import { archiveUrl, checkArchives } from './fix-archives.js';
import type { Choices } from './fix-choices.js';

/** Corrected pages become change requests: one job, shown, saved or applied. */

interface Fixes {
  /** Where the archives are hosted; undefined in a dry run that does not name it. */
  base: string | undefined;
  found: FoundLinks;
  fixes: readonly SpaceFix[];
  chosen: Choices;
  reading: Reading;
}

const risk =
  'An import goes by Markdown. Look through each change request before you merge it: it must change nothing but links.';

/** @throws DocsError not-found `archive_missing`; conflict `archive_differs`; as `propose` */
export async function proposeFixes(
  session: Session,
  input: ManualInput,
  groups: readonly GroupEntry[],
  { base, found, fixes, chosen, reading }: Fixes,
): Promise<void> {
  const client = await session.client({ readOnly: true, timeoutPerRequest: true });
  const archives = fixes.map((fix) => ({ fix, url: archiveUrl(base ?? '<import-base>', fix) }));
  if (base !== undefined) await checkArchives(session, client, archives);
  // A run that was interrupted may have left its draft, which is completed.
  const drafts: Draft[] = [];
  const begun = await readAll(reading, archives, async ({ fix: { space, subject } }) =>
    requestCalled(client, space.id, subject, ['draft']),
  );
  for (const [index, { fix, url }] of archives.entries()) {
    const gap = { entry: fix.space, spaceId: fix.space.id, ...defined({ waiting: begun[index] }) };
    drafts.push(...contentDrafts(gap, { url, subject: fix.subject, first: drafts.length }));
  }
  const links = fixes.reduce((sum, fix) => sum + fix.links, 0);
  await propose(session, input, groups, {
    command: 'links fix',
    drafts,
    organization: reading.organizationId,
    risks: links === 0 ? [] : [risk],
    notes: notesOf(found, chosen),
    nothing: 'No link to fix.',
  });
}

/** What is left, once for each space and reason. */
function notesOf({ links }: FoundLinks, chosen: Choices): PlanNote[] {
  const notes = new Map<string, PlanNote & { count: number }>();
  for (const link of links) {
    if (chosen.has(link)) continue;
    const { status, by, why, space, changeRequest } = rowOf(link);
    const message =
      status === 'fixed'
        ? `Change request ${changeRequest} has it corrected; review and merge it.`
        : by === 'title' && status === 'proposed'
          ? 'Its target was found by title alone; --match-titles uses it.'
          : `Left: ${why}.`;
    const item = redactText(`broken links of ${spaceName(space)}`);
    const known = notes.get(`${space.id} ${message}`);
    const hint = `docs links fix --space ${space.id}`;
    const code = status === 'fixed' ? 'waits' : 'not-fixed';
    const note = { code, item, message: redactText(message), hint };
    notes.set(`${space.id} ${message}`, { ...note, count: (known?.count ?? 0) + 1 });
  }
  return [...notes.values()];
}
