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

export const listTranslations = operation({
  id: 'translations.list',
  method: 'GET',
  path: list,
  summary: 'List the translation settings of an organization',
  success: 200,
  returns: page(TranslationSettings),
});

export const createTranslation = operation({
  id: 'translations.create',
  method: 'POST',
  path: list,
  summary: 'Create translation settings',
  body: body({ title }),
  success: 201,
  returns: one(TranslationSettings),
});

export const getTranslation = operation({
  id: 'translations.get',
  method: 'GET',
  path: settings,
  summary: 'Get translation settings',
  success: 200,
  returns: one(TranslationSettings),
});

export const updateTranslation = operation({
  id: 'translations.update',
  method: 'PUT',
  path: settings,
  summary: 'Rename translation settings',
  body: body({ title }),
  success: 200,
  returns: one(TranslationSettings),
});

export const deleteTranslation = operation({
  id: 'translations.delete',
  method: 'DELETE',
  path: settings,
  summary: 'Delete translation settings',
  success: 205,
  returns: nothing,
});
