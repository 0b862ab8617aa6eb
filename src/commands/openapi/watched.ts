import { DocsError } from '../../base/errors.js';
import { shellWord } from '../../base/shell-word.js';
import { isObject } from '../../base/values.js';
import { atPlace } from '../../cli/declare/place-flags.js';
import type { FailureOf, Watched } from '../../cli/declare/watched.js';
import { counted } from '../../output/counted.js';

/** `--watch` of OpenAPI specs: until all are processed. */
export const watched: Watched = {
  field: 'processingState',
  moving: ['pending', 'progress'],
  final: ['complete'],
  error: 'lastProcessErrorCode',
  failure: failed,
  exits: ['job-failed'],
};

async function failed(): Promise<FailureOf> {
  const { failureOf } = await import('../../workflows/openapi-publish/watch.js');
  return ({ io: { platform }, globals, settings: { org } }, specs) => {
    const place = org?.source === 'flag' ? ['--org', org.value] : [];
    const line = (...words: string[]) =>
      atPlace(
        ['docs openapi', ...[...words, ...place].map((word) => shellWord(word, platform))].join(' '),
        globals,
        platform,
      );
    const failures = specs.flatMap((spec) => {
      const { slug } = isObject(spec) ? spec : {};
      return isObject(spec) ? (failureOf({ slug: String(slug), line }, spec) ?? []) : [];
    });
    const [first] = failures;
    if (first === undefined || failures.length === 1) return first;
    const message = `the platform failed to process ${failures.length} of ${counted(specs.length, 'spec')}`;
    const lines = failures.map(({ message: one }) => one);
    const { details: _, ...facts } = first.failure;
    return new DocsError(first.kind, first.code, message, {
      ...facts,
      lines,
      hint: first.failure.hint ?? line('list'),
      details: { specs: failures.map(({ failure }) => failure.details ?? {}) },
    });
  };
}
