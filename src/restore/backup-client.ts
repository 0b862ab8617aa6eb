import { type Client, createClient } from '../api/client.js';
import { getAdaptiveSchema } from '../api/resources/adaptive-schemas.js';
import { listCollectionSpaces } from '../api/resources/collections.js';
import { listSpaceFields } from '../api/resources/custom-fields.js';
import { type Operated, operationAt } from '../api/resources/index.js';
import { listMemberSpaces, listMembers, listTeamMembers } from '../api/resources/members.js';
import { getOrg } from '../api/resources/orgs.js';
import type { TransportRequest } from '../api/transport.js';
import { bytesOf, hashOf, inOnePiece, jsonOf, linesOf } from '../backup/folder.js';
import { type FileEntry, manifestName, type SpaceManifest, spaceFolder } from '../backup/manifest.js';
import { type BackupReader, pathOf, verifyCommand } from '../backup/reader.js';
import { DocsError } from '../base/errors.js';
import { shellWord } from '../base/shell-word.js';
import type { Resource } from '../jobs/reads.js';
import { type ResourceName, resources } from '../model/resources.js';

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
  const path = reader.manifest.files.find(({ kind }) => kind === 'orders')?.path;
  const found = new Set<string>();
  if (path === undefined) return found;
  for await (const item of reader.items(path)) found.add(String((item as Resource).collection));
  return found;
}

function notHere({ path }: TransportRequest): DocsError {
  return new DocsError('not-found', 'not_found', `The backup has no ${path}.`, { outcome: 'not-sent' });
}

/** Lists of the organization that are a file each; of which each item is a file; and of a site. By operation. */
const lists = filesOf('collection', 'custom-field', 'translation', 'saml-provider');
const folders = filesOf('team', 'openapi-spec', 'site');
const ofSites = filesOf('section', 'section-group', 'site-space');

/** The kinds of the files, by the operation that lists a resource. */
function filesOf(...names: readonly ResourceName[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [resources[name].lists[0], resources[name].printed.backup]));
}

class Answers {
  readonly #reader: BackupReader;
  readonly #lists = new Map<string, Promise<Resource[]>>();
  #spaces: Promise<ReadonlyMap<string, Resource>> | undefined;

  constructor(reader: BackupReader) {
    this.#reader = reader;
  }

  async to({ op, input }: Operated): Promise<unknown> {
    const path = input.path ?? {};
    if (op.id === getOrg.id) return this.#one('organization');
    if (op.id === getAdaptiveSchema.id) return this.#one('adaptive-schema', path.siteId);
    if (op.id === listSpaceFields.id) return this.#fieldsOf(path.spaceId);
    const items = await this.#items({ op, input, id: '' });
    return items && { items };
  }

  #items({ op, input: { path = {}, query = {} } }: Operated): Promise<Resource[] | undefined> {
    const [list, folder, ofSite] = [lists[op.id], folders[op.id], ofSites[op.id]];
    if (list !== undefined) return this.#list(list);
    if (folder !== undefined) return this.#each(folder);
    if (ofSite !== undefined) return this.#ofSite(ofSite, path.siteId ?? '');
    if (op.id === listMembers.id) return this.#members([query.role].flat()[0]);
    if (op.id === listTeamMembers.id) return this.#inTeam(path.teamId ?? '');
    if (op.id === listCollectionSpaces.id) return this.#inCollection(path.collectionId ?? '');
    if (op.id === listMemberSpaces.id) return this.#allSpaces();
    return Promise.resolve(undefined);
  }

  #entry(kind: string, id?: string): FileEntry | undefined {
    const { files } = this.#reader.manifest;
    return files.find((file) => file.kind === kind && (id === undefined || file.id === id));
  }

  async #one(kind: string, id?: string): Promise<unknown> {
    const entry = this.#entry(kind, id);
    return entry === undefined ? undefined : jsonOf(await this.#reader.text(entry.path));
  }

  /** The items of a file, read once; undefined where the backup does not have it. */
  async #list(kind: string, id?: string): Promise<Resource[] | undefined> {
    const entry = this.#entry(kind, id);
    if (entry === undefined) return undefined;
    const known = this.#lists.get(entry.path) ?? this.#read(entry.path);
    this.#lists.set(entry.path, known);
    return known;
  }

  async #read(path: string): Promise<Resource[]> {
    const items: Resource[] = [];
    for await (const item of this.#reader.items(path)) items.push(item as Resource);
    return items;
  }

  async #each(kind: string): Promise<Resource[]> {
    const entries = this.#reader.manifest.files.filter((file) => file.kind === kind);
    return Promise.all(entries.map(async ({ path }) => jsonOf(await this.#reader.text(path)) as Resource));
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
  async #ofSite(kind: string, siteId: string): Promise<Resource[] | undefined> {
    const [items, spaces] = await Promise.all([this.#list(kind, siteId), this.#bySpace()]);
    const whole = ({ space, ...item }: Resource): Resource => {
      const found = spaces.get(String((space as Resource | undefined)?.id));
      return { ...item, space: found ?? space };
    };
    return kind === 'site-spaces' ? items?.map(whole) : items;
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
    const path = await pathOf(this.#reader, entry, 'fields');
    return path === undefined ? [] : jsonOf(await this.#reader.text(path));
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
      const path = await pathOf(this.#reader, entry, 'space');
      if (path !== undefined) spaces.set(entry.id, jsonOf(await this.#reader.text(path)) as Resource);
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
      `The last run of the backup ${reader.root} did not finish; nothing was changed.`,
      { outcome: 'not-sent', hint: `docs backup run --out ${shellWord(reader.root, process.platform)}` },
    );
  const hashes = new Map(manifest.files.map(({ path, sha256 }) => [path, sha256]));
  const spaces = new Map<string, SpaceManifest>();
  for (const entry of manifest.spaces) {
    if (entry.state === 'planned' || entry.sha256 === undefined) continue;
    const at = spaceFolder(entry.folder);
    const path = `${at}/${manifestName}`;
    if (hashOf(await reader.text(path)) !== entry.sha256) throw damaged(reader, path);
    const own = await reader.space(entry);
    if (own !== undefined) spaces.set(entry.id, own);
    for (const file of own?.files ?? []) hashes.set(`${at}/${file.path}`, file.sha256);
  }
  const checked = async (path: string): Promise<Buffer> => {
    const bytes = await bytesOf(await reader.bytes(path));
    if (hashOf(bytes) !== hashes.get(path)) throw damaged(reader, path);
    return bytes;
  };
  // What was checked is what is used: nothing is read a second time.
  return {
    ...reader,
    space: async ({ id }) => spaces.get(id),
    bytes: async (path) => inOnePiece(await checked(path)),
    text: async (path) => (await checked(path)).toString('utf8'),
    async *items(path) {
      yield* linesOf(inOnePiece(await checked(path)));
    },
  };
}

function damaged(reader: BackupReader, path: string): DocsError {
  const message = `${path} is not what the manifest of the backup says; nothing was changed.`;
  const hint = verifyCommand(reader);
  return new DocsError('findings', 'backup_damaged', message, { outcome: 'not-sent', hint });
}
