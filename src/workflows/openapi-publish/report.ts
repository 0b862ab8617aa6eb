import { getLatestOpenApiVersion, type OpenApiSpec } from '../../api/resources/openapi.js';
import { meant, timestamp } from '../../api/shapes.js';
import { type Static, Type } from '../../api/type.js';
import { defined } from '../../base/values.js';
import { closed, maybe, oneOf, stateOf, text } from '../../output/printed-shapes.js';
import type { SpecAt } from './spec.js';

const facts = {
  version: Type.Optional(Type.String({ description: 'Id of the version that it became, or still is' })),
  previousVersion: Type.Optional(Type.String({ description: 'Id of the latest version before' })),
  processingState: meant('state', text),
  lastProcessedAt: Type.Optional(timestamp),
  sourceURL: maybe,
};
export const PublishResult = closed({
  id: text,
  status: stateOf('created', 'updated', 'unchanged'),
  ...facts,
});
export const WaitResult = closed({ id: text, status: oneOf('complete'), ...facts });
/** The id is the slug. */
export type SpecResult = Static<typeof PublishResult> | Static<typeof WaitResult>;

/** Asks for the latest version if the spec does not name it. */
export async function resultOf(
  { client, org, slug }: SpecAt,
  spec: OpenApiSpec,
  status: SpecResult['status'],
): Promise<SpecResult> {
  const path = { organizationId: org, specSlug: slug };
  const version = spec.lastVersion ?? (await client.call(getLatestOpenApiVersion, { path })).id;
  const { processingState, lastProcessedAt, sourceURL } = spec;
  return defined({ id: slug, status, version, processingState, lastProcessedAt, sourceURL });
}

export function sentenceOf({ id, status, version, previousVersion }: SpecResult): string {
  const at = version === undefined ? '' : `: version ${version}`;
  if (status === 'complete') return `${id} is processed${at}.`;
  if (status === 'unchanged') return `${id} is unchanged${at}. Nothing was sent.`;
  const verb = status === 'created' ? 'Created' : 'Updated';
  if (previousVersion === undefined) return `${verb} ${id}${at}.`;
  if (previousVersion === version) return `${verb} ${id}: still version ${version}.`;
  return `${verb} ${id}${at}, previously ${previousVersion}.`;
}
