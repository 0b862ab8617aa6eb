import type { LooseInput } from '../../api/client.js';
import { operationsIn } from '../../api/operation.js';
import * as customFieldsApi from '../../api/resources/custom-fields.js';
import * as openapiApi from '../../api/resources/openapi.js';
import * as samlApi from '../../api/resources/saml.js';
import * as translationsApi from '../../api/resources/translations.js';
import { type Change, requestFor } from '../change.js';
import { isFromEnvironment } from '../environment.js';
import type { Resource } from '../reads.js';
import type { NoWayBack, PastChange, WayBack } from '../rule.js';
import { matches, type State } from '../state.js';
import {
  bodyOf,
  creates,
  deletes,
  type Family,
  picked,
  type RuleMaker,
  type RuleTable,
  readOne,
  sets,
  stateUnknown,
  sureness,
} from './builders.js';
import { defaultTeam, empty } from './shown.js';

const fieldSettings = ['type', 'title', 'description', 'placeholder', 'options'];
const samlSettings = ['label', 'entityID', 'certificate', 'ssoURL', 'defaultRole'];

const specState = ['id', 'sourceURL'];
const versionsStay = 'the versions that the platform created stay';

const readField = readOne(customFieldsApi.getCustomField, fieldSettings);
const readSpec = readOne(openapiApi.getOpenApiSpec, specState);

/** Removing an option removes it from the spaces that have it. */
const fieldChange: RuleMaker = (op, find) => {
  const settings = sets()(op, find);
  return {
    ...settings,
    forecast: (input, before) => sureness(removesOptions(input, before) ? valuesLost : undefined),
    back(change) {
      const back = settings.back?.(change) ?? stateUnknown;
      if (back.undo === 'none' || !removesOptions(change.input, change.before)) return back;
      return { ...back, ...sureness([valuesLost, back.why].filter((why) => why !== undefined).join('; ')) };
    },
  };
};

const valuesLost = 'spaces lose the values of removed options';

function removesOptions(input: LooseInput, before: State | undefined): boolean {
  const { options } = bodyOf(input) as { options?: unknown[] };
  const former = before?.options;
  return options !== undefined && !(Array.isArray(former) && former.every((one) => options.includes(one)));
}

const rules: RuleTable = {
  'saml.create': creates({ left: samlState, lookup: 'label' }),
  'saml.delete': deletes(
    samlState,
    'the provider is recreated with a new id, so the identity provider needs its new URLs',
    {
      again: (before, { path }) => {
        const body = { ...withoutNull(before), defaultRole: before.defaultRole ?? null };
        return [requestFor(samlApi.createSamlProvider, path, body)];
      },
    },
  ),

  'translations.create': creates({ left: ['title'], lookup: 'title' }),
  'translations.delete': deletes(
    ['title', 'languages'],
    'the settings are recreated with their title, but with a new id and without languages',
    { again: ({ title }, { path }) => [requestFor(translationsApi.createTranslation, path, { title })] },
  ),

  'custom-fields.create': (op, find) => ({
    ...creates({
      left: fieldSettings,
      lookup: {
        read: (reads, input) =>
          readField(reads, { path: { ...input.path, fieldName: String(bodyOf(input).name) } }),
        wanted: (input) => picked(bodyOf(input), fieldSettings),
      },
    })(op, find),
    // Every space then shows the field without a value.
    gives(input) {
      const { name, type } = bodyOf(input);
      return { to: customFieldsApi.setSpaceFields.id, fields: { [String(name)]: empty(type) ?? null } };
    },
  }),
  'custom-fields.update': fieldChange,
  'custom-fields.delete': deletes(fieldSettings, 'the field is recreated, but spaces lose its values', {
    again: (before, { path }) => {
      const body = { name: path?.fieldName, ...withoutNull(before) };
      return [requestFor(customFieldsApi.createCustomField, path, body)];
    },
  }),

  'openapi.create': creates({
    left: specState,
    lookup: {
      read: (reads, input) =>
        readSpec(reads, { path: { ...input.path, specSlug: String(bodyOf(input).slug) } }),
      wanted: sourceOf,
    },
  }),
  'openapi.set': {
    before: 'always',
    keepsAnswer: true,
    forecast: () => ({ undo: 'best-effort', why: versionsStay }),
    read: readSpec,
    wanted: sourceOf,
    // Setting the same source again makes the platform fetch it anew, which no read shows.
    tells: (input, before) => before === null || (before !== undefined && !matches(before, sourceOf(input))),
    back: specBack,
  },
  'openapi.delete': deletes(
    specState,
    'the spec is recreated from its URL, but its versions are lost; without a URL it cannot be recreated',
    { again: specAgain },
  ),
};

export const definitions: Family = {
  operations: operationsIn(samlApi, translationsApi, customFieldsApi, openapiApi),
  rules,
};

function samlState(provider: Resource): State {
  return { ...picked(provider, samlSettings), defaultTeam: defaultTeam(provider) ?? null };
}

function withoutNull(fields: Resource): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

/** The platform shows the URL of a source, but never its text. */
function sourceOf(input: LooseInput): State {
  const { url } = (bodyOf(input).source ?? {}) as { url?: string };
  return url === undefined ? {} : { sourceURL: url };
}

/** An address, or what stands for one with a secret. */
function isAddress(value: unknown): boolean {
  return typeof value === 'string' || isFromEnvironment(value);
}

function specAgain({ sourceURL }: Resource, { path }: LooseInput): Change[] {
  if (!isAddress(sourceURL)) return [];
  const body = { slug: path?.specSlug, source: { url: sourceURL } };
  return [requestFor(openapiApi.createOpenApiSpec, path, body)];
}

function specBack({ input, before, answer }: PastChange): WayBack | NoWayBack {
  const { path } = input;
  const expect = answer === undefined ? undefined : picked(answer as Resource, specState);
  if (before === null)
    return { undo: 'exact', request: requestFor(openapiApi.deleteOpenApiSpec, path), expect };
  const url = before?.sourceURL;
  if (!isAddress(url)) return { undo: 'none', why: 'the previous text of the spec is unknown' };
  const request = requestFor(openapiApi.setOpenApiSpec, path, { source: { url } });
  return { undo: 'best-effort', why: versionsStay, request, expect };
}
