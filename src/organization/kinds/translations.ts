import {
  createTranslation,
  deleteTranslation,
  listTranslations,
  updateTranslation,
} from '../../api/resources/translations.js';
import type { Kind } from '../kind.js';
import { fieldsFrom, listed, liveItem } from './declare.js';

const fields = fieldsFrom(updateTranslation, { title: { required: true } });
const name = 'translations';

export const translations: Kind = {
  name,
  one: 'translation settings',
  spot: { file: 'translations.yaml', list: 'translations' },
  parents: ['root'],
  key: 'own',
  parameter: 'translationSettingsId',
  fields,
  leftOut: { languages: 'no operation changes the languages of translation settings' },
  reads: [listTranslations],
  list: (reading) => listed(reading, listTranslations, (settings) => liveItem({ name, fields }, settings)),
  create: { op: createTranslation },
  update: updateTranslation,
  remove: deleteTranslation,
};
