import { getOrg, updateOrg } from '../../api/resources/orgs.js';
import type { Kind } from '../kind.js';
import { fieldsFrom, liveItem, referenceTo } from './declare.js';

const fields = fieldsFrom(updateOrg, {
  title: {},
  emailDomains: { set: true },
  hostname: { unique: 'organization' },
  defaultRole: { nullAs: 'guest' },
  defaultContent: {
    key: 'default_site',
    refers: 'sites',
    show: ({ defaultContent }) =>
      referenceTo('sites', (defaultContent as { site?: string } | undefined)?.site),
    send: (site) => ({ defaultContent: site === null ? null : { type: 'site', site } }),
  },
  sso: {},
  ai: {},
  inviteLinks: {},
});
const name = 'organization';

export const organization: Kind = {
  name,
  one: 'organization',
  spot: { file: 'org.yaml', under: 'organization' },
  parents: ['root'],
  key: 'own',
  parameter: 'organizationId',
  fields,
  leftOut: {
    logo: 'the platform does not return the URL that was set, so the files cannot be compared with it',
  },
  reads: [getOrg],
  async *list({ client, organizationId }) {
    const resource = await client.call(getOrg, { path: { organizationId } });
    yield liveItem({ name, fields }, resource, { natural: name });
  },
  update: updateOrg,
};
