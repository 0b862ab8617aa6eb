import { body, nothing, one, operation, page } from '../operation.js';
import { id, permissions, shape, timestamp, urls } from '../shapes.js';
import { type Static, Type } from '../type.js';

/** Translation settings of an organization (spec A, "Translation settings"). */

const title = Type.String({ minLength: 1, maxLength: 100, description: 'Title' });

export const TranslationSettings = shape({
  object: Type.Literal('translation-settings'),
  id,
  title,
  languages: Type.Array(Type.String()),
  createdAt: timestamp,
  updatedAt: timestamp,
  permissions: permissions(['view', 'edit']),
  urls: urls(['location']),
});
export type TranslationSettings = Static<typeof TranslationSettings>;

const list = '/v1/orgs/{organizationId}/translations';
const settings = `${list}/{translationSettingsId}` as const;

export const listTranslations = operation('translations.list', 'GET', list, {
  summary: 'List the translation settings of an organization',
  returns: page(TranslationSettings),
});

export const createTranslation = operation('translations.create', 'POST', list, {
  summary: 'Create translation settings',
  body: body({ title }),
  success: 201,
  returns: one(TranslationSettings),
});

export const getTranslation = operation('translations.get', 'GET', settings, {
  summary: 'Get translation settings',
  returns: one(TranslationSettings),
});

export const updateTranslation = operation('translations.update', 'PUT', settings, {
  summary: 'Rename translation settings',
  body: body({ title }),
  returns: one(TranslationSettings),
});

export const deleteTranslation = operation('translations.delete', 'DELETE', settings, {
  summary: 'Delete translation settings',
  success: 205,
  returns: nothing,
});
