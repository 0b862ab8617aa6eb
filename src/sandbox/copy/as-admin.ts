import type { InOrg } from '../org-table.js';
import { orgById } from '../records/org.js';
import { found } from '../refusal.js';
import type { Database } from '../store/database.js';

/** An organization as an administrator sees it, as a backup is read. @throws 404 if it is not there */
export function asAdmin(db: Database, orgId: string): InOrg {
  const org = found(orgById(db, orgId), 'organization', orgId);
  return { db, org, caller: { userId: '', email: '', role: 'admin', level: 'admin' } };
}
