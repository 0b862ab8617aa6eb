import {
  createChangeRequest,
  getChangeRequest,
  importChangeRequestContent,
} from '../../api/resources/change-requests.js';
import { getSpace } from '../../api/resources/spaces.js';
import { DocsError, usageError } from '../../base/errors.js';
import { redactText } from '../../base/redaction.js';
import { shellWord } from '../../base/shell-word.js';
import { isObject } from '../../base/values.js';
import type { Application, Applies, Applying } from '../../cli/declare/command.js';
import { atPlace } from '../../cli/declare/global-flags.js';
import type { Session } from '../../cli/declare/session.js';
import { noteSaid } from '../../cli/run/output.js';
import { JobFolder } from '../../jobs/job-folder.js';
import type { ItemRecord } from '../../jobs/journal.js';
import { counted } from '../../output/counted.js';
import { requestCalled } from '../../restore/content.js';
import { checkedClient } from '../../snapshot/checked-client.js';
import type { Reading } from '../../snapshot/unread.js';
import { linksOfSubject } from '../../workflows/link-fix/archives.js';
import { type RequestSeen, requestSeen } from '../../workflows/link-fix/read-back.js';
import { revisionOf } from './fix-archives.js';

/** What is looked at before corrections of links are applied, and read once they are. */

const begin = async (application: Application): Promise<Applying> => {
  await refuseStale(application);
  await refuseTwice(application);
  const { session, client, concurrency } = application;
  const reading = {
    client: checkedClient(client),
    organizationId: '',
    concurrency,
    signal: session.io.signal,
  };
  return {
    async end(job, isDone) {
      if (isDone) await readBack(session, reading, new JobFolder(session.io).find(job).items);
    },
  };
};

export const applyFixes: Applies = Object.assign(begin, { resumes: true as const });

/**
 * The archives hold whole pages: of a space that was edited since, they would take the edits back.
 * @throws DocsError conflict `space_changed`: nothing was sent
 */
async function refuseStale({ client, calls }: Application): Promise<void> {
  for (const { op, input } of calls) {
    const { spaceId = '' } = input.path ?? {};
    const url = isObject(input.body) ? input.body.url : undefined;
    if (op === importChangeRequestContent && typeof url === 'string' && !URL.canParse(url))
      throw usageError('missing_flag', 'the plan was made without --import-base; nothing was sent', {
        hint: 'docs links fix --help',
      });
    const made = typeof url === 'string' ? revisionOf(url) : undefined;
    if (op !== importChangeRequestContent || made === undefined) continue;
    const { revision, title } = await client.call(getSpace, { path: { spaceId } });
    if (revision === made) continue;
    const message = `${title} was edited since its links were read; nothing was sent. Make the plan and its archives again.`;
    throw new DocsError('conflict', 'space_changed', message, {
      outcome: 'not-sent',
      hint: 'docs links fix --help',
    });
  }
}

/**
 * Another run may have proposed the same corrections since. Drafts do not count: one may be of the job that is resumed.
 * @throws DocsError conflict `already_proposed`: nothing was sent
 */
async function refuseTwice({ session, client, calls }: Application): Promise<void> {
  for (const { op, input } of calls) {
    const { spaceId = '' } = input.path ?? {};
    const subject = isObject(input.body) ? input.body.subject : undefined;
    if (op !== createChangeRequest || typeof subject !== 'string') continue;
    const waiting = await requestCalled(client, spaceId, subject, ['open']);
    if (waiting === undefined) continue;
    const { title } = await client.call(getSpace, { path: { spaceId } });
    const message = `Change request ${waiting.number} of ${title} already has these corrections; nothing was sent.`;
    const space = shellWord(spaceId, session.io.platform);
    throw new DocsError('conflict', 'already_proposed', message, {
      outcome: 'not-sent',
      hint: here(session, `docs change-requests get ${waiting.number} --space ${space}`),
    });
  }
}

/** @throws DocsError partial `not_as_meant` where a change request does not show what it should */
async function readBack(session: Session, reading: Reading, items: readonly ItemRecord[]): Promise<void> {
  const odd: string[] = [];
  for (const { spaceId, id } of madeIn(items)) {
    const path = { spaceId, changeRequestId: id };
    const { number, subject } = await reading.client.call(getChangeRequest, { path });
    const { title } = await reading.client.call(getSpace, { path: { spaceId } });
    const seen = await requestSeen(reading, spaceId, id);
    const get = `docs change-requests get ${number} --space ${shellWord(spaceId, session.io.platform)}`;
    const wanted = linksOfSubject(subject) ?? 1;
    const words = {
      wanted,
      name: redactText(`Change request ${number} of ${title}`),
      get: here(session, get),
    };
    odd.push(...(await tellSeen(session, seen, words)));
  }
  if (odd.length === 0) return;
  const message = `${counted(odd.length, 'change request')} not as meant: ${odd.join(', ')}. Do not merge before you looked.`;
  throw new DocsError('partial', 'not_as_meant', message, { outcome: 'done' });
}

/** The change requests that a job made or completed. */
function madeIn(items: readonly ItemRecord[]): { spaceId: string; id: string }[] {
  const found = new Map<string, { spaceId: string; id: string }>();
  for (const { plan, answer } of items) {
    const { spaceId = '', changeRequestId } = plan.input.path ?? {};
    const made = plan.op === createChangeRequest.id && isObject(answer) ? answer.id : undefined;
    // Where an earlier item makes it, that one has the id.
    const id = made ?? (plan.op === importChangeRequestContent.id ? changeRequestId : undefined);
    if (typeof id === 'string') found.set(id, { spaceId, id });
  }
  return [...found.values()];
}

/** @returns its name where it is not as it should be */
async function tellSeen(
  session: Session,
  { fixed, broken, more }: RequestSeen,
  { name, get, wanted }: { name: string; get: string; wanted: number },
): Promise<string[]> {
  const { printer } = session;
  const left = broken.length === 0 ? '' : `; ${counted(broken.length, 'link')} of its pages still broken`;
  const isClean = more.length === 0 && fixed.length >= wanted;
  const rest = isClean ? 'nothing but links differs; review and merge it.' : '';
  const said = `${name}, read again: ${fixed.length} of ${counted(wanted, 'link')} fixed${left}${rest === '' ? '.' : `; ${rest}`} ${get}`;
  if (isClean) await noteSaid(session, said);
  else printer.note(said);
  for (const sentence of more) printer.warn(redactText(`${name}: ${sentence}`));
  return isClean ? [] : [name];
}

function here({ globals, io }: Session, command: string): string {
  return atPlace(command, globals, io.platform);
}
