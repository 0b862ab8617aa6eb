import type { Invite } from '../api/resources/members.js';
import { allResources } from '../model/resources.js';
import {
  putItem,
  putMember,
  putSamlProvider,
  putSpec,
  putSsoLogin,
  putTeam,
} from '../sandbox/copy/organization.js';
import { putCollection, putSite } from '../sandbox/copy/spaces.js';
import { handlers } from '../sandbox/handlers/index.js';
import type { TableHandler } from '../sandbox/org-table.js';
import type { Database } from '../sandbox/store/database.js';

/** Writes one of a resource, as the platform or a backup has it. Call within a write. */
type Writer<Item = never> = (db: Database, organizationId: string, item: Item) => void;

/**
 * What writes one of a resource into a copy, where it is more than a row of a table: of a backup all that its file
 * lists, of the platform what is asked for. What is neither comes with one of these, or with a space.
 */
const writers: Readonly<Record<string, Writer | undefined>> = {
  member: putMember,
  team: putTeam,
  collection: (db, organization, item: Parameters<typeof putCollection>[1]) =>
    putCollection(db, { ...item, organization }),
  'saml-provider': putSamlProvider,
  'sso-login': putSsoLogin,
  'openapi-spec': putSpec,
  site: putSite,
  invite: putInvite,
};

/** Of what the sandbox keeps as rows of an organization: writes into the table that answers its list. */
function rowWriterOf(name: string): Writer<Readonly<Record<string, unknown>>> | undefined {
  const { lists = [], id = 'id' } = allResources.find((one) => one.name === name) ?? {};
  const answering = handlers.find(({ operation }) => lists.includes(operation.id));
  const { items } = (answering ?? {}) as Partial<TableHandler>;
  return items && ((db, organizationId, item) => putItem(db, organizationId, items, item, String(item[id])));
}

function putInvite(db: Database, organizationId: string, { id, role, redundant }: Invite): void {
  db.run(
    'INSERT OR REPLACE INTO invites (id, org_id, role, redundant) VALUES (?, ?, ?, ?)',
    ...[id, organizationId, role, redundant ? 1 : 0],
  );
}

/** @returns undefined for what a copy does not hold by itself */
export function writerOf(name: string): Writer<unknown> | undefined {
  return (writers[name] ?? rowWriterOf(name)) as Writer<unknown> | undefined;
}
