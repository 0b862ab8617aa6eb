import {
  createTranslation,
  deleteTranslation,
  getTranslation,
  listTranslations,
  updateTranslation,
} from '../../api/resources/translations.js';
import { handle } from '../handle.js';
import { translations } from '../records/translation.js';

/** The languages of new settings: no operation of the specification sets them. */
const firstLanguages = ['de', 'es', 'fr', 'ja'];

export const handlers = [
  handle(listTranslations, (call) => translations.list(call)),

  handle(createTranslation, (call) => {
    const now = call.clock.now();
    const { title } = call.body;
    const languages = JSON.stringify(firstLanguages);
    return translations.create(call, { title, languages, created_at: now, updated_at: now });
  }),

  handle(getTranslation, (call) => translations.get(call, call.path.translationSettingsId)),

  handle(updateTranslation, (call) => {
    const { path, body, clock } = call;
    const changes = { title: body.title, updated_at: clock.now() };
    return translations.update(call, path.translationSettingsId, changes);
  }),

  handle(deleteTranslation, (call) => translations.remove(call, call.path.translationSettingsId)),
];
