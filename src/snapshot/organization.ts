import { type Client, type Listing, type LooseInput, type Page, prepare } from '../api/client.js';
import type { AnyOperation } from '../api/operation.js';
import { type Collection, listCollections } from '../api/resources/collections.js';
import { listMembers, type Member } from '../api/resources/members.js';
import { listOpenApiSpecs, type OpenApiSpec } from '../api/resources/openapi.js';
import { getOrg, type Organization } from '../api/resources/orgs.js';
import { listSamlProviders, type SamlProvider } from '../api/resources/saml.js';
import {
  listSectionGroups,
  listSections,
  type SectionGroup,
  type SiteSection,
} from '../api/resources/sections.js';
import { listSiteSpaces, type SiteSpace } from '../api/resources/site-spaces.js';
import { getSite, listSites, type Site } from '../api/resources/sites.js';
import { listTeams, type Team } from '../api/resources/teams.js';
import { allItems } from './unread.js';

/** What can answer reads of an organization: the platform, or a backup (`backupClient`). */
interface Source {
  client: Client;
  organizationId: string;
}

/** An organization as its source shows it: nothing is read before it is asked for, and nothing twice. */
export function organization(source: Source): OrganizationSnapshot {
  return new OrganizationSnapshot(source);
}

export class OrganizationSnapshot {
  /** Answers each read once. For other reads than those named here, as long as what they list can be held. */
  readonly client: Client;
  readonly #path: { organizationId: string };
  readonly #source: Client;
  readonly #sites = new Map<string, SiteSnapshot>();

  constructor({ client, organizationId }: Source) {
    this.client = rememberingClient(client);
    this.#source = client;
    this.#path = { organizationId };
  }

  settings(): Promise<Organization> {
    return this.client.call(getOrg, { path: this.#path });
  }

  /** @param query.space those that show this space; the platform may ignore it */
  sites(query: { space?: string } = {}): Listing<Site> {
    return this.client.call(listSites, { path: this.#path, query });
  }

  site(siteId: string): SiteSnapshot {
    const site = this.#sites.get(siteId) ?? new SiteSnapshot(this.client, { ...this.#path, siteId });
    this.#sites.set(siteId, site);
    return site;
  }

  /** Those inside others, too. */
  collections(): Listing<Collection> {
    return this.client.call(listCollections, { path: this.#path, query: { nested: true } });
  }

  teams(): Listing<Team> {
    return this.client.call(listTeams, { path: this.#path });
  }

  /** Not kept, since there may be many: each time they are read again. */
  members(): Listing<Member> {
    return this.#source.call(listMembers, { path: this.#path });
  }

  /** Disabled ones included, and read again each time. */
  async *administrators(): AsyncGenerator<Member> {
    const input = { path: this.#path, query: { role: 'admin' as const } };
    // The platform may ignore the filter.
    for await (const member of this.#source.call(listMembers, input))
      if (member.role === 'admin') yield member;
  }

  openApiSpecs(): Listing<OpenApiSpec> {
    return this.client.call(listOpenApiSpecs, { path: this.#path });
  }

  samlProviders(): Listing<SamlProvider> {
    return this.client.call(listSamlProviders, { path: this.#path });
  }
}

/** What is on a site, in the order of the platform. */
export interface SiteContent {
  site: Site;
  sections: readonly SiteSection[];
  /** Also those of no section. One whose space the token cannot see names none. */
  siteSpaces: readonly SiteSpace[];
}

/** The same with the section groups, which show their order in the sections alone. */
export interface GroupedSite extends SiteContent {
  groups: readonly SectionGroup[];
}

/** A site as its source shows it; see `OrganizationSnapshot`. */
export class SiteSnapshot {
  readonly #client: Client;
  readonly #path: { organizationId: string; siteId: string };

  constructor(client: Client, path: { organizationId: string; siteId: string }) {
    this.#client = client;
    this.#path = path;
  }

  settings(): Promise<Site> {
    return this.#client.call(getSite, { path: this.#path });
  }

  groups(): Listing<SectionGroup> {
    return this.#client.call(listSectionGroups, { path: this.#path });
  }

  sections(): Listing<SiteSection> {
    return this.#client.call(listSections, { path: this.#path });
  }

  siteSpaces(): Listing<SiteSpace> {
    return this.#client.call(listSiteSpaces, { path: this.#path });
  }

  /** Three reads at once. @throws DocsError as `Client.call` */
  async content(): Promise<SiteContent> {
    const [site, sections, siteSpaces] = await Promise.all([
      this.settings(),
      allItems(this.sections()),
      allItems(this.siteSpaces()),
    ]);
    return { site, sections, siteSpaces };
  }

  /** The same of a site that is known, without asking for sections where no space is in one. */
  async contentOf(site: Site): Promise<SiteContent> {
    const siteSpaces = await allItems(this.siteSpaces());
    const inSections = siteSpaces.length === 0 || siteSpaces.some(({ section }) => section !== undefined);
    return { site, sections: inSections ? await allItems(this.sections()) : [], siteSpaces };
  }
}

/**
 * A client that sends each read once. Who asks for a list again gets its pages as they were read, also while the
 * rest is being read, and the failure at the page at which it failed.
 */
export function rememberingClient(client: Client): Client {
  const known = new Map<string, unknown>();
  const call = (op: AnyOperation, input: LooseInput, ...options: unknown[]): unknown => {
    const send = client.call as (op: AnyOperation, input: LooseInput, ...options: unknown[]) => unknown;
    if (op.method !== 'GET') return send(op, input, ...options);
    const key = prepare(op, input).path;
    const read = () =>
      op.returns.kind === 'page' ? readOnce(send(op, input) as Listing<unknown>) : send(op, input);
    const found = known.get(key) ?? read();
    known.set(key, found);
    return found;
  };
  return Object.create(client, { call: { value: call } }) as Client;
}

function readOnce<T>(list: Listing<T>): Listing<T> {
  const read: Promise<IteratorResult<Page<T>>>[] = [];
  let source: AsyncIterator<Page<T>> | undefined;
  const pages = async function* (): AsyncGenerator<Page<T>> {
    source ??= list.pages()[Symbol.asyncIterator]();
    for (let at = 0; ; at += 1) {
      const next = read[at] ?? source.next();
      read[at] = next;
      const page = await next;
      if (page.done === true) return;
      yield page.value;
    }
  };
  return {
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const page of pages()) yield* page.items;
    },
  };
}
