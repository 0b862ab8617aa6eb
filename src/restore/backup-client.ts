import { type Client, createClient, type LooseInput } from '../api/client.js';
import { pathParameters } from '../api/operation-facts.js';
import { listCollectionSpaces } from '../api/resources/collections.js';
import { listSpaceFields } from '../api/resources/custom-fields.js';
import { type Operated, operationAt } from '../api/resources/index.js';
import { listMemberSpaces } from '../api/resources/members.js';
import type { TransportRequest } from '../api/transport.js';
import { manifestName, spaceFolder } from '../backup/manifest.js';
import { type BackupReader, verifyCommand } from '../backup/reader.js';
import { DocsError } from '../base/errors.js';
import { shellWord } from '../base/shell-word.js';
import type { Resource } from '../jobs/reads.js';
import { storedResources } from '../model/stored.js';
import { allItems } from '../snapshot/unread.js';

/**
 * A client whose platform is a backup: the reads of the organization as code, answered from its files. So the
 * desired state of a restore is read by the same code as the present one, and no second list of fields exists.
 * Every list is one page; pages, files and comments are not asked for. What a run could not read answers 404.
 * @throws DocsError of a read: not-found where the backup does not have it; as `BackupReader.bytes`
 */
export function backupClient(reader: BackupReader): Client {
  const answers = new Answers(reader);
  const refuse = (): never => {
    throw new Error('A backup answers only reads of the organization.');
  };
  return createClient({
    async send(request: TransportRequest) {
      const operated = operationAt(request);
      const body = operated === undefined ? undefined : await answers.to(operated);
      if (body === undefined) throw notHere(request);
      return { status: 200, headers: {}, body, attempts: 1 };
    },
    download: refuse,
    close: async () => {},
    platformNowMs: undefined,
  });
}

/** The collections whose order of spaces a backup has: older ones have none. @throws as `BackupReader.items` */
export async function orderedCollections(reader: BackupReader): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for await (const { collection } of reader.top.items<Resource>(reader.top.find('orders')))
    found.add(String(collection));
  return found;
}

function notHere({ path }: TransportRequest): DocsError {
  return new DocsError('not-found', 'not_found', `the backup has no ${path}`, { outcome: 'not-sent' });
}

/** What of a backup answers an operation: a list, or one. Spaces are in folders of their own. */
const atTop = storedResources.filter(({ folder }) => folder !== 'spaces');
const lists = new Map(atTop.filter(({ name }) => name !== 'organization').map((one) => [one.lists[0], one]));
const singles = new Map(atTop.flatMap((one) => (one.isList ? [] : [[one.gets[0], one]])));

type PathIds = Readonly<Record<string, string>>;

class Answers {
  readonly #reader: BackupReader;
  readonly #lists = new Map<string, Promise<Resource[]>>();
  #spaces: Promise<ReadonlyMap<string, Resource>> | undefined;

  constructor(reader: BackupReader) {
    this.#reader = reader;
  }

  async to({ op, input }: Operated): Promise<unknown> {
    const { path = {}, query = {} } = input;
    if (op.id === listSpaceFields.id) return this.#fieldsOf(path.spaceId);
    const single = singles.get(op.id);
    if (single !== undefined) return this.#one(single.kind, path[pathParameters(op.path).at(-1) ?? '']);
    const items = await this.#items(op.id, path, query);
    return items && { items };
  }

  #items(id: string, path: PathIds, query: LooseInput['query'] = {}): Promise<Resource[] | undefined> {
    if (id === listCollectionSpaces.id) return this.#inCollection(path.collectionId ?? '');
    if (id === listMemberSpaces.id) return this.#allSpaces();
    const stored = lists.get(id);
    if (stored === undefined) return Promise.resolve(undefined);
    const { name, kind, isList, folder, parents } = stored;
    if (name === 'member') return this.#members([query.role].flat()[0]);
    if (name === 'team-member') return this.#inTeam(path.teamId ?? '');
    if (name === 'site-space') return this.#siteSpaces(path.siteId ?? '');
    if (!isList) return this.#each(kind);
    return this.#list(kind, folder === undefined ? undefined : path[parents.at(-1) ?? '']);
  }

  #one(kind: string, id: string | undefined): Promise<unknown> {
    const { top } = this.#reader;
    return top.json(top.find(kind, id));
  }

  /** The items of a file, read once; undefined where the backup does not have it. */
  async #list(kind: string, id?: string): Promise<Resource[] | undefined> {
    const { top } = this.#reader;
    const entry = top.find(kind, id);
    if (entry === undefined) return undefined;
    const known = this.#lists.get(entry.path) ?? allItems(top.items<Resource>(entry));
    this.#lists.set(entry.path, known);
    return known;
  }

  #each(kind: string): Promise<Resource[]> {
    const { top } = this.#reader;
    return Promise.all(top.all(kind).map(async (entry) => (await top.json<Resource>(entry)) ?? {}));
  }

  async #members(role: unknown): Promise<Resource[] | undefined> {
    const all = await this.#list('members');
    return role === undefined ? all : all?.filter((member) => member.role === role);
  }

  /** A backup has only who is in a team; the rest of a member is in the list of members. */
  async #inTeam(teamId: string): Promise<Resource[] | undefined> {
    const [own, members = []] = await Promise.all([
      this.#list('team-members', teamId),
      this.#list('members'),
    ]);
    const known = new Map(members.map((member) => [member.id, member]));
    return own?.map(({ id, user, team }) => ({ organization: known.get(id) ?? { id, user }, team }));
  }

  /** A backup only names the spaces of a site. */
  async #siteSpaces(siteId: string): Promise<Resource[] | undefined> {
    const [items, spaces] = await Promise.all([this.#list('site-spaces', siteId), this.#bySpace()]);
    return items?.map(({ space, ...item }) => {
      const found = spaces.get(String((space as Resource | undefined)?.id));
      return { ...item, space: found ?? space };
    });
  }

  async #inCollection(collectionId: string): Promise<Resource[]> {
    const [spaces, orders = []] = await Promise.all([this.#bySpace(), this.#list('orders')]);
    const order = orders.find(({ collection }) => collection === collectionId)?.items;
    const places = new Map(Array.isArray(order) ? order.map((id, at) => [String(id), at]) : []);
    const placeOf = ({ id }: Resource) => places.get(String(id)) ?? places.size;
    return [...spaces.values()]
      .filter(({ parent }) => parent === collectionId)
      .sort((a, b) => placeOf(a) - placeOf(b));
  }

  async #allSpaces(): Promise<Resource[]> {
    return [...(await this.#bySpace()).values()].map((space) => ({ space }));
  }

  async #fieldsOf(spaceId: string | undefined): Promise<unknown> {
    const entry = this.#reader.manifest.spaces.find(({ id }) => id === spaceId);
    if (entry === undefined) return undefined;
    const files = await this.#reader.filesOf(entry);
    return (await files?.json(files.find('fields'))) ?? [];
  }

  /** The settings of each space that a run could read. */
  #bySpace(): Promise<ReadonlyMap<string, Resource>> {
    this.#spaces ??= this.#readSpaces();
    return this.#spaces;
  }

  async #readSpaces(): Promise<ReadonlyMap<string, Resource>> {
    const read = this.#reader.manifest.spaces.filter(({ state }) => state !== 'planned');
    const spaces = new Map<string, Resource>();
    for (const entry of read) {
      const files = await this.#reader.filesOf(entry);
      const space = await files?.json<Resource>(files.find('space'));
      if (space !== undefined) spaces.set(entry.id, space);
    }
    return spaces;
  }
}

/**
 * A reader that gives only files that are what the manifests say. A restore writes to the platform what it reads, so
 * a file that somebody changed is refused where it is read, before any of it is used.
 * @throws DocsError of each read: findings `backup_damaged` (exit 17); as `BackupReader`
 */
export async function checkedReader(reader: BackupReader): Promise<BackupReader> {
  const { manifest } = reader;
  if (manifest.state === 'unfinished')
    throw new DocsError(
      'configuration',
      'backup_unfinished',
      `the last run of the backup ${reader.root} did not finish; nothing was changed`,
      { outcome: 'not-sent', hint: `docs backup run --out ${shellWord(reader.root, process.platform)}` },
    );
  for (const entry of manifest.spaces) {
    if (entry.state === 'planned' || entry.sha256 === undefined || (await reader.isAsNoted(entry))) continue;
    throw damaged(reader, `${spaceFolder(entry.folder)}/${manifestName}`);
  }
  return reader.refusing({ damaged: (path) => damaged(reader, path), missing: (cause) => cause });
}

function damaged(reader: BackupReader, path: string): DocsError {
  const message = `${path} differs from the manifest of the backup; nothing was changed`;
  const hint = verifyCommand(reader);
  return new DocsError('findings', 'backup_damaged', message, { outcome: 'not-sent', hint });
}
