import { deleteInvite, getInvite, Invite, updateInvite } from '../../api/resources/members.js';
import { findOrgs, getOrg, listOrgs, pingOrg, updateOrg } from '../../api/resources/orgs.js';
import type { Role } from '../../api/shapes.js';
import { defined } from '../../base/values.js';
import { type Call, handle } from '../handle.js';
import { orgTable } from '../org-table.js';
import { type OrgRow, orgById } from '../records/in-path.js';
import { layoutOf } from '../records/layout.js';
import { orgLayout, toOrg } from '../records/org.js';
import { siteById } from '../records/site.js';
import { refusal } from '../refusal.js';
import { type Columns, update } from '../store/rows.js';
import { requireEmailDomains, requireHostname, requireUrl } from '../values.js';
import { visitorClaims } from './sites.js';

const invites = orgTable({
  table: 'invites',
  what: 'invite',
  layout: layoutOf(Invite),
  computed: () => ({}),
});

type MyOrgRow = OrgRow & { role: Role | null };

const myOrgs = 'members m JOIN organizations o ON o.id = m.org_id';

export const handlers = [
  handle(listOrgs, ({ caller, page }) =>
    page({
      select: 'o.*, m.role',
      from: myOrgs,
      where: [['m.user_id = ?', caller.userId]],
      by: ['o.created_at', 'o.id'],
      item: (row: MyOrgRow) => toOrg(row, row.role),
    }),
  ),

  handle(getOrg, ({ org, caller }) => toOrg(org, caller.role)),

  handle(updateOrg, (call) => {
    const { db, org, caller } = call;
    update(db, 'organizations', org.id, columnsOf(call));
    return toOrg(orgById(db, org.id) ?? org, caller.role);
  }),

  handle(pingOrg, ({ db, org, caller, clock }) => {
    const sql = 'UPDATE members SET last_seen_at = ? WHERE org_id = ? AND user_id = ?';
    const now = clock.now();
    db.run(sql, now, org.id, caller.userId);
    return defined({ serviceVisitorClaims: visitorClaims(db, org, caller, now) });
  }),

  /** Finds organizations of the domain that the caller belongs to; callers of that domain find all. */
  handle(findOrgs, ({ db, caller, path }) => {
    const domain = path.emailDomain.toLowerCase();
    const ofDomain = caller.email.toLowerCase().endsWith(`@${domain}`);
    const rows = db.all<MyOrgRow>(
      `SELECT o.*, m.role FROM organizations o
       LEFT JOIN members m ON m.org_id = o.id AND m.user_id = ?
       WHERE (m.user_id IS NOT NULL OR ?)
         AND EXISTS (SELECT 1 FROM json_each(o.email_domains) WHERE lower(value) = ?)
       ORDER BY o.created_at, o.id`,
      ...[caller.userId, ofDomain ? 1 : 0, domain],
    );
    return { organizations: rows.map((row) => toOrg(row, row.role)) };
  }),

  ...invites.handlers([getInvite, updateInvite, deleteInvite]),
];

function columnsOf({ db, org, body }: Call<typeof updateOrg>): Columns {
  requireHostname('hostname', body.hostname);
  requireEmailDomains('emailDomains', body.emailDomains);
  requireUrl('logo', body.logo, ['https', 'http']);
  const sql = 'SELECT 1 FROM organizations WHERE hostname = ? AND id <> ?';
  if (body.hostname !== undefined && db.get(sql, body.hostname, org.id) !== undefined)
    throw refusal(409, `the hostname ${body.hostname} is already in use`);
  if (body.defaultContent) siteById(db, org.id, body.defaultContent.site);
  const changes = orgLayout.changes(body);
  changes.default_site = body.defaultContent === null ? null : body.defaultContent?.site;
  changes.logo = body.logo;
  return changes;
}
