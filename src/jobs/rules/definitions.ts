import type { LooseInput } from '../../api/client.js';
import {
  createCustomField,
  deleteCustomField,
  getCustomField,
  updateCustomField,
} from '../../api/resources/custom-fields.js';
import {
  createOpenApiSpec,
  deleteOpenApiSpec,
  getOpenApiSpec,
  setOpenApiSpec,
} from '../../api/resources/openapi.js';
import {
  createSamlProvider,
  deleteSamlProvider,
  getSamlProvider,
  listSamlProviders,
  updateSamlProvider,
} from '../../api/resources/saml.js';
import {
  createTranslation,
  deleteTranslation,
  getTranslation,
  listTranslations,
  updateTranslation,
} from '../../api/resources/translations.js';
import type { PlannedRequest } from '../request.js';
import type { Change, NoWayBack, Reads, Resource, Rules, WayBack } from '../rule.js';
import { matches, type State } from '../state.js';
import { bodyOf, creates, deletes, likeness, picked, readFields, requestFor, sets } from './builders.js';

const fieldSettings = ['title', 'description', 'placeholder', 'options'];
const samlSettings = ['label', 'entityID', 'certificate', 'ssoURL', 'defaultRole'];

/** The SAML provider's team comes as a resource, and goes as an id. */
const defaultTeam = (provider: Resource) => (provider.defaultTeam as { id?: string } | undefined)?.id;

/** SAML providers, translations, custom fields and OpenAPI specs of an organization. */
export const definitions: Rules = {
  [createSamlProvider.id]: creates({
    remove: deleteSamlProvider,
    parameter: 'samlProviderId',
    left: (answer) => samlState(answer),
    lookup: likeness(listSamlProviders, ({ label }, body) => label === body.label),
  }),
  [updateSamlProvider.id]: sets(updateSamlProvider, { get: getSamlProvider, from: { defaultTeam } }),
  [deleteSamlProvider.id]: deletes({
    read: async (reads, { path = {} }) => {
      const provider = await reads.one(getSamlProvider, requestFor(getSamlProvider, path).input);
      return provider === null ? null : samlState(provider);
    },
    why: 'the provider is made anew with another id, so the identity provider needs its new addresses',
    again: (before, { path }) => requestFor(createSamlProvider, path ?? {}, withoutNull(before)),
  }),

  [createTranslation.id]: creates({
    remove: deleteTranslation,
    parameter: 'translationSettingsId',
    left: (answer) => picked(answer, ['title']),
    lookup: likeness(listTranslations, ({ title }, body) => title === body.title),
  }),
  [updateTranslation.id]: sets(updateTranslation, { get: getTranslation }),
  [deleteTranslation.id]: deletes({
    read: readFields(getTranslation, ['title']),
    why: 'the settings are made anew with their title, but with another id and without languages',
    again: ({ title }, { path }) => requestFor(createTranslation, path ?? {}, { title }),
  }),

  [createCustomField.id]: creates({
    remove: deleteCustomField,
    parameter: 'fieldName',
    key: 'name',
    left: (answer) => picked(answer, ['type', ...fieldSettings]),
    lookup: {
      read: (reads, input) =>
        readFields(getCustomField, ['type', ...fieldSettings])(reads, {
          path: { ...input.path, fieldName: String(bodyOf(input).name) },
        }),
      wanted: (input) => picked(bodyOf(input), ['type', ...fieldSettings]),
    },
  }),
  [updateCustomField.id]: {
    ...sets(updateCustomField, { get: getCustomField }),
    forecast: (input) =>
      bodyOf(input).options === undefined
        ? { undo: 'exact' }
        : { undo: 'best-effort', why: 'values of options that went are gone from the spaces' },
  },
  [deleteCustomField.id]: deletes({
    read: readFields(getCustomField, ['type', ...fieldSettings]),
    why: 'the field is defined anew, but its values on spaces are gone',
    again: (before, { path = {} }) =>
      requestFor(createCustomField, path, { name: path.fieldName, ...withoutNull(before) }),
  }),

  [createOpenApiSpec.id]: creates({
    remove: deleteOpenApiSpec,
    parameter: 'specSlug',
    key: 'slug',
    left: (answer) => picked(answer, ['id', 'sourceURL']),
    lookup: {
      read: (reads, input) =>
        readSpec(reads, { path: { ...input.path, specSlug: String(bodyOf(input).slug) } }),
      wanted: (input) => sourceOf(input),
    },
  }),
  [setOpenApiSpec.id]: {
    before: 'always',
    keepsAnswer: true,
    forecast: () => ({ undo: 'best-effort', why: 'the versions that the platform made stay' }),
    read: readSpec,
    wanted: (input) => sourceOf(input),
    // Setting the same source again makes the platform read it anew, which no read shows.
    tells: (input, before) => before === null || (before !== undefined && !matches(before, sourceOf(input))),
    back: specBack,
  },
  [deleteOpenApiSpec.id]: deletes({
    read: readSpec,
    why: 'the spec is read anew from its URL, but its versions are gone; without a URL it cannot be made again',
    again: specAgain,
  }),
};

function samlState(provider: Resource): State {
  return { ...picked(provider, samlSettings), defaultTeam: defaultTeam(provider) ?? null };
}

function withoutNull(fields: Resource): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

function readSpec(reads: Reads, input: LooseInput): Promise<State> {
  return readFields(getOpenApiSpec, ['id', 'sourceURL'])(reads, input);
}

/** What can be seen of a source: its URL. Of a text the platform tells nothing. */
function sourceOf(input: LooseInput): State {
  const { url } = (bodyOf(input).source ?? {}) as { url?: string };
  return url === undefined ? {} : { sourceURL: url };
}

function specAgain({ sourceURL }: Resource, { path = {} }: LooseInput): PlannedRequest | undefined {
  if (typeof sourceURL !== 'string') return undefined;
  return requestFor(createOpenApiSpec, path, { slug: path.specSlug, source: { url: sourceURL } });
}

function specBack({ input, before, answer }: Change): WayBack | NoWayBack {
  const path = input.path ?? {};
  const made = answer as Resource | undefined;
  const expect = made === undefined ? undefined : picked(made, ['id', 'sourceURL']);
  if (before === null) return { undo: 'exact', request: requestFor(deleteOpenApiSpec, path), expect };
  const url = before?.sourceURL;
  if (typeof url !== 'string') return { undo: 'none', why: 'the text of the spec before is not known' };
  const why = 'the versions that the platform made stay';
  return { undo: 'best-effort', why, request: requestFor(setOpenApiSpec, path, { source: { url } }), expect };
}
