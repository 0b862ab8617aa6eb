import type { Invite } from '../api/resources/members.js';
import {
  putCustomField,
  putItem,
  putMember,
  putSamlProvider,
  putSpec,
  putSsoLogin,
  putTeam,
} from '../sandbox/copy/organization.js';
import { putCollection, putSite } from '../sandbox/copy/spaces.js';
import { translations } from '../sandbox/handlers/translations.js';
import type { OrgTable } from '../sandbox/org-table.js';
import type { Database } from '../sandbox/store/database.js';

/** Writes one of a resource, as the platform or a backup has it. Call within a write. */
type Writer<Item = never> = (db: Database, organizationId: string, item: Item) => void;

/**
 * What writes one of a resource into a copy: of a backup all that its file lists, of the platform what is asked for.
 * What is not here comes with one of these, or with a space.
 */
const writers: Readonly<Record<string, Writer | undefined>> = {
  member: putMember,
  team: putTeam,
  collection: (db, organization, item: Parameters<typeof putCollection>[1]) =>
    putCollection(db, { ...item, organization }),
  'custom-field': putCustomField,
  translation: rowsOf(translations),
  'saml-provider': putSamlProvider,
  'sso-login': putSsoLogin,
  'openapi-spec': putSpec,
  site: putSite,
  invite: putInvite,
};

/** Of what the sandbox keeps as rows of an organization. */
function rowsOf(table: OrgTable<object>): Writer<{ id: string }> {
  return (db, organizationId, item) => putItem(db, organizationId, table, item, item.id);
}

function putInvite(db: Database, organizationId: string, { id, role, redundant }: Invite): void {
  db.run(
    'INSERT OR REPLACE INTO invites (id, org_id, role, redundant) VALUES (?, ?, ?, ?)',
    ...[id, organizationId, role, redundant ? 1 : 0],
  );
}

/** @returns undefined for what a copy does not hold by itself */
export function writerOf(name: string): Writer<unknown> | undefined {
  return writers[name] as Writer<unknown> | undefined;
}
