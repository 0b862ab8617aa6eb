import {
  type ChangeRequest,
  getChangeRequest,
  listChangeRequests,
} from '../../../api/resources/change-requests.js';
import { jsonText } from '../folder/json-files.js';
import type { FileEntry, Part } from '../folder/manifest.js';
import { namesOf } from '../folder/names.js';
import type { Looks } from '../staleness.js';
import { cleaned } from './cleaned.js';
import { contentKinds, type KnownContent, type Owner, readSettledContent } from './content.js';
import { writeComments } from './discussions.js';
import { type Gathering, openQuery } from './gathering.js';

export interface InSpace {
  spaceId: string;
  spaceRevision: string;
  /** The content of the space; undefined if it could not be read: change requests then keep all of theirs. */
  known: KnownContent | undefined;
  /** Receives the first page of the list. */
  looks: Looks;
  /** The key that the last run read a part by. */
  keyOf(name: string): string | undefined;
  /** Receives the keys that parts are read by now. */
  parts: Part[];
}

/** Reads the open change requests of a space, each with its comments and the content that differs. */
export async function readChangeRequests(gathering: Gathering, inSpace: InSpace): Promise<void> {
  const { spaceId, looks } = inSpace;
  const { client } = gathering.reading;
  const open: ChangeRequest[] = [];
  const input = { path: { spaceId }, query: openQuery };
  await gathering.attempt(
    { kind: 'change-requests', id: spaceId },
    ({ changeRequest }) => changeRequest !== undefined,
    async () => {
      for await (const { items } of client.call(listChangeRequests, input).pages()) {
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
  const about = { kind: 'change-request', id, title, changeRequest: id };
  await gathering.write(`${owner.at}change-request.json`, jsonText(cleaned(latest)), about);
}

/** Keeps the content if neither revision changed, its own and that of the space; else reads it. */
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
  const path = { spaceId: owner.spaceId, changeRequestId: id };
  let latest = listed;
  const refresh = async () => {
    latest = await gathering.reading.client.call(getChangeRequest, { path });
    return latest;
  };
  const named = { ...owner, kind: 'change-request', title: listed.subject };
  const { revision, whole } = await readSettledContent(gathering, named, known, listed, refresh);
  if (whole && known !== undefined) parts.push({ name, key: keyWith(revision) });
  return latest;
}
