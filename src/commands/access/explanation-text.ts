import type { Audience, Explanation } from '../../access/explanation.js';
import { siteOperations } from '../../access/site-permits.js';
import { safeLine } from '../../output/safe-text.js';
import { cut, widthOf } from '../../output/text-width.js';

/** An explanation as people read it on a terminal. */
export function explanationText(explanation: Explanation): string {
  return [
    headline(explanation),
    safeLine(explanation.why),
    '',
    ...layerLines(explanation),
    ...placeLines(explanation),
    ...siteLines(explanation),
  ].join('\n');
}

function headline({ person, resource, role, atLeast }: Explanation): string {
  const name = person.email === null ? person.displayName : `${person.displayName} (${person.email})`;
  const least = atLeast ? 'at least ' : '';
  const has = role === null ? 'no role' : role === 'unknown' ? 'an unknown role' : role;
  return safeLine(`${name}: ${least}${has} in ${resource.object} ${resource.title} (${resource.id})`);
}

const names: Record<Explanation['layers'][number]['layer'], string> = {
  'organization-role': 'organization role',
  grant: 'grants',
  space: 'space',
  collection: 'collection',
  organization: 'top level',
};

/** One line a layer: which decides, its role, and what it does. */
function layerLines({ layers }: Explanation): string[] {
  const rows = layers.map(({ layer, title, id, role, decides, shadowed, why }) => {
    const name = title ?? id;
    return {
      mark: decides ? '→' : ' ',
      name: cut(safeLine(name === undefined ? names[layer] : `${names[layer]} ${name}`), 32),
      role: role ?? 'none',
      why: safeLine(`${shadowed ? 'shadowed: ' : ''}${why}`),
    };
  });
  const nameWidth = Math.max(...rows.map(({ name }) => widthOf(name)));
  return rows.map(
    ({ mark, name, role, why }) =>
      `${mark} ${name}${' '.repeat(nameWidth - widthOf(name))}  ${role.padEnd(7)}  ${why}`,
  );
}

function placeLines({ publications }: Explanation): string[] {
  if (publications === undefined) return [];
  if (publications.length === 0) return ['', 'On no site that could be read.'];
  return [
    '',
    'Published on:',
    ...publications.flatMap((one) => [
      `  ${safeLine(one.site.title)} (${one.site.id})`,
      ...audienceLines(one),
    ]),
  ];
}

function siteLines({ audience, permits }: Explanation): string[] {
  return [
    ...(permits === undefined
      ? []
      : ['', `The organization role permits ${permits.length} of ${siteOperations} operations on a site.`]),
    ...(audience === undefined ? [] : ['', 'Readers:', ...audienceLines(audience)]),
  ];
}

function audienceLines({ url, visibility, readers, conditions }: Audience): string[] {
  return [
    ...(url === null ? [] : [`    ${safeLine(url)}`]),
    `    ${visibility}: ${safeLine(readers)}`,
    ...conditions.map((condition) => `    only where ${safeLine(condition)}`),
  ];
}
