import {
  type ChangeRequest,
  getChangeRequest,
  listChangeRequests,
} from '../../../api/resources/change-requests.js';
import { jsonText } from '../folder/json-files.js';
import type { FileEntry, Part } from '../folder/manifest.js';
import { namesOf } from '../folder/names.js';
import { cleaned } from './cleaned.js';
import { contentKinds, type KnownContent, type Owner, readSettledContent } from './content.js';
import { type Discussed, writeComments } from './discussions.js';
import { type Gathering, openQuery } from './gathering.js';
import { keepContent } from './kept-content.js';

export interface InSpace {
  spaceId: string;
  /** What the content of the space is read by; undefined if that is not known. */
  spaceKey: string | undefined;
  /** The content of the space; undefined if it could not be read: change requests then keep all of theirs. */
  known: KnownContent | undefined;
  keepsReplies: boolean;
  /** The key that the last run read a part by. */
  keyOf(name: string): string | undefined;
  /** Receives the keys that parts are read by now. */
  parts: Part[];
  /** Whether content that changed is not read. */
  compares: boolean;
  onDiscussed(discussed: Discussed): void;
}

/** Reads the open change requests of a space, each with its comments and the content that differs. */
export async function readChangeRequests(gathering: Gathering, inSpace: InSpace): Promise<void> {
  const { spaceId } = inSpace;
  const { client } = gathering.reading;
  const open: ChangeRequest[] = [];
  const input = { path: { spaceId }, query: openQuery };
  await gathering.attempt(
    { kind: 'change-requests', id: spaceId },
    ({ changeRequest }) => changeRequest !== undefined,
    async () => {
      for await (const request of client.call(listChangeRequests, input)) open.push(request);
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
  inSpace.onDiscussed(await writeComments(gathering, owner, inSpace.keepsReplies));
  const about = { kind: 'change-request', id, title, changeRequest: id };
  await gathering.write(`${owner.at}change-request.json`, jsonText(cleaned(latest)), about);
}

/** Keeps the content if its key and that of the space are those of the last run; else reads it. */
async function readOwnContent(
  gathering: Gathering,
  { spaceKey, known, keyOf, parts, compares }: InSpace,
  owner: Owner,
  listed: ChangeRequest,
): Promise<ChangeRequest> {
  const { id, revision } = listed;
  const name = `change-request ${id}`;
  const isContent = ({ kind, changeRequest, path }: FileEntry) =>
    changeRequest === id && contentKinds.includes(kind) && path.startsWith(owner.at);
  const keyWith = (own: string) => `${own} ${spaceKey}`;
  const last = { key: spaceKey === undefined ? undefined : keyOf(name), keyWith, isContent };
  const keeping = { readsRecomputed: compares, keepsOther: compares, known };
  const kept = await keepContent(gathering, owner, revision, last, keeping);
  if (kept !== undefined) {
    if (kept.key !== undefined) parts.push({ name, key: kept.key });
    return listed;
  }
  const path = { spaceId: owner.spaceId, changeRequestId: id };
  let latest = listed;
  const refresh = async () => {
    latest = await gathering.reading.client.call(getChangeRequest, { path });
    return latest;
  };
  const named = { ...owner, kind: 'change-request', title: listed.subject };
  const { key, whole } = await readSettledContent(gathering, named, known, listed, refresh);
  if (whole && spaceKey !== undefined) parts.push({ name, key: keyWith(key) });
  return latest;
}
