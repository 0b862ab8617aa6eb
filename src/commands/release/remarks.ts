import { counted } from '../../output/counted.js';
import type { Draft, PlanNote } from '../../plans/plan.js';
import type { Cut } from './drafts.js';

/** What people should know of a cut before it starts. */

export function risksOf({ parts, makeDefault, origin, site }: Cut): string[] {
  const missing = parts.filter(({ onSite }) => onSite === undefined);
  const hasCondition =
    missing.some(({ source }) => source.condition !== undefined) ||
    (origin.kind === 'section' && origin.section.condition !== undefined && missing.length > 0);
  return [
    ...(hasCondition && site.site.published
      ? ['Between two requests, visitors can see a copy before its condition is set.']
      : []),
    ...(makeDefault && site.site.published
      ? [
          'Addresses without a version will lead to the new one: links to pages that only the old one has break.',
        ]
      : []),
  ];
}

/** What a duplicate does not have, as far as it can be known. */
export function notesOf({ parts }: Cut): PlanNote[] {
  const made = parts.filter(({ onSite, loose }) => onSite === undefined && loose === undefined);
  const first = made[0];
  const compared = parts.filter(({ onSite, comparable }) => onSite !== undefined && comparable === false);
  const later: PlanNote[] = compared.map(({ title, source }) => ({
    code: 'not_compared',
    item: `spaces/${title}`,
    message: `It was not compared with ${source.space.title}, which was edited since.`,
  }));
  if (first === undefined) return later;
  const item = made.length === 1 ? `spaces/${first.title}` : counted(made.length, 'copy', 'copies');
  const topLevel = made.filter(({ source }) => source.space.parent === undefined);
  const synced = made.filter(({ source }) => source.space.gitSync !== undefined);
  const perhaps = made.flatMap(({ perhaps: spaces = [] }) => spaces);
  return [
    ...later,
    ...perhaps.map(({ title, id }) => ({
      code: 'perhaps_a_copy',
      item: `spaces/${title}`,
      message: `Space ${id} may be a copy that an earlier cut left; a new one is made unless --use ${id} names it.`,
    })),
    {
      code: 'not_duplicated',
      item,
      message:
        'A duplicate has the content. Change requests, comments, history, and the roles that people and teams have in ' +
        'the space itself stay with the original; the platform chooses its place in the collection.',
      hint: 'Compare the custom fields and who has access afterwards.',
    },
    ...synced.map(({ title }) => ({
      code: 'not_synced',
      item: `spaces/${title}`,
      message: 'The original is synchronized with Git; the copy will not be.',
    })),
    ...topLevel.map(({ title }) => ({
      code: 'unlisted',
      item: `spaces/${title}`,
      message:
        'The original is in no collection, so only administrators can list its copy: should the answer to the ' +
        'duplication be lost, a token that may not list members needs you to name the copy.',
    })),
  ];
}

/** What cannot be done: copies that are there and are not whole. */
export function findingsOf({ parts, site }: Cut): Draft[] {
  return parts.flatMap(({ lack, title, onSite }): Draft[] => {
    if (lack === undefined || onSite === undefined) return [];
    const hint = `docs site-spaces delete ${onSite.id} --site ${site.site.id}`;
    const message = `${lack} It is not made the default. Delete it, and cut the version again.`;
    return [
      { kind: 'spaces', key: title, action: 'finding', finding: { code: 'incomplete_copy', message, hint } },
    ];
  });
}
