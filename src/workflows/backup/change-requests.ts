import {
  type ChangeRequest,
  getChangeRequest,
  listChangeRequests,
} from '../../api/resources/change-requests.js';
import { DocsError } from '../../errors.js';
import { cleaned } from './cleaned.js';
import { type KnownContent, type Owner, readContent } from './content.js';
import { writeComments } from './discussions.js';
import { type Gathering, pageLimit } from './gathering.js';
import { jsonText } from './json-files.js';
import type { FileEntry, Part } from './manifest.js';
import { namesOf } from './names.js';
import type { Looks } from './probe.js';

/** Open change requests of a space: each with its comments, and the content that differs from the space's. */

export interface InSpace {
  spaceId: string;
  spaceRevision: string;
  /** The content of the space; undefined where it could not be read: then all of a change request is kept. */
  known: KnownContent | undefined;
  /** Takes the first page of the list. */
  looks: Looks;
  /** What the run before read a part by. */
  keyOf(name: string): string | undefined;
  /** Takes what parts are read by now. */
  parts: Part[];
}

const mostReadings = 3;

/** Reads them all. What fails is told. */
export async function readChangeRequests(gathering: Gathering, inSpace: InSpace): Promise<void> {
  const { spaceId, looks } = inSpace;
  const { client } = gathering.reading;
  const open: ChangeRequest[] = [];
  const query = { status: 'open', limit: pageLimit };
  await gathering.attempt(
    { kind: 'change-requests', id: spaceId },
    ({ changeRequest }) => changeRequest !== undefined,
    async () => {
      for await (const { items } of client.call(listChangeRequests, { path: { spaceId }, query }).pages()) {
        if (open.length === 0) looks.changeRequests = items;
        open.push(...items);
      }
    },
  );
  const names = namesOf(open.map(({ id, number, subject }) => ({ id, title: `${number} ${subject}` })));
  for (const request of open) {
    const { id, subject } = request;
    const owner: Owner = { spaceId, changeRequestId: id, at: `change-requests/${names.get(id)}/` };
    await gathering.attempt(
      { kind: 'change-request', id, title: subject },
      ({ changeRequest }) => changeRequest === id,
      () => readOne(gathering, inSpace, owner, request),
    );
  }
}

async function readOne(
  gathering: Gathering,
  inSpace: InSpace,
  owner: Owner,
  request: ChangeRequest,
): Promise<void> {
  const { id, subject: title } = request;
  const latest = await readOwnContent(gathering, inSpace, owner, request);
  await writeComments(gathering, owner);
  await gathering.write(`${owner.at}change-request.json`, jsonText(cleaned(latest)), {
    ...{ kind: 'change-request', id, title, changeRequest: id },
  });
}

/** Content of the same two revisions differs in the same, and stays; else it is read, until it is settled. */
async function readOwnContent(
  gathering: Gathering,
  { spaceRevision, known, keyOf, parts }: InSpace,
  owner: Owner,
  listed: ChangeRequest,
): Promise<ChangeRequest> {
  const { id } = listed;
  const name = `change-request ${id}`;
  const keyWith = (revision: string) => (known === undefined ? '' : `${revision} ${spaceRevision}`);
  const isContent = ({ kind, changeRequest, path }: FileEntry) =>
    changeRequest === id && contentKinds.includes(kind) && path.startsWith(owner.at);
  const there = (await gathering.kept(`${owner.at}content.json`)) !== undefined;
  if (there && keyOf(name) === keyWith(listed.revision) && (await gathering.keep(isContent))) {
    parts.push({ name, key: keyWith(listed.revision) });
    return listed;
  }
  const { client } = gathering.reading;
  const path = { spaceId: owner.spaceId, changeRequestId: id };
  for (let tries = 1, before = listed; ; tries++) {
    const trial = gathering.fork();
    await readContent(trial, owner, known);
    const after = await client.call(getChangeRequest, { path });
    const settled = after.revision === before.revision;
    before = after;
    if (!settled && tries < mostReadings) continue;
    gathering.join(trial);
    if (!settled) gathering.fail(restless(after));
    else if (trial.failed.length === 0 && known !== undefined)
      parts.push({ name, key: keyWith(after.revision) });
    return after;
  }
}

const contentKinds = ['content', 'page', 'page-markdown', 'file'];

function restless({ id, subject: title }: ChangeRequest) {
  const message = `Its content changed ${mostReadings} times while it was read; pages of several revisions are there.`;
  const error = new DocsError('conflict', 'kept_changing', message, { retryable: true });
  return { kind: 'change-request', id, title, error };
}
