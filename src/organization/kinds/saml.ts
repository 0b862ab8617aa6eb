import {
  createSamlProvider,
  deleteSamlProvider,
  listSamlProviders,
  updateSamlProvider,
} from '../../api/resources/saml.js';
import type { Kind } from '../kind.js';
import { fieldsFrom, listed, liveItem, referenceTo } from './declare.js';

const fields = fieldsFrom(updateSamlProvider, {
  label: { required: true },
  entityID: {},
  certificate: { file: ({ key }) => `certificates/${key}.pem` },
  ssoURL: {},
  defaultTeam: {
    refers: 'teams',
    show: ({ defaultTeam }) => referenceTo('teams', (defaultTeam as { id?: string } | undefined)?.id),
  },
  defaultRole: { nullAs: 'guest' },
});
const name = 'saml';

export const saml: Kind = {
  name,
  one: 'SAML provider',
  spot: { file: 'saml.yaml', list: 'providers' },
  parents: ['root'],
  key: 'own',
  parameter: 'samlProviderId',
  fields,
  reads: [listSamlProviders],
  list: (reading) =>
    listed(reading, listSamlProviders, (provider) =>
      liveItem(
        { name, fields },
        { ...provider, defaultTeam: provider.defaultTeam && { id: provider.defaultTeam.id } },
        {
          title: provider.label,
        },
      ),
    ),
  create: { op: createSamlProvider },
  update: updateSamlProvider,
  remove: deleteSamlProvider,
};
