import fc from 'fast-check';

/** Random organizations whose spaces link to each other in every way that is known. */

export const linkKinds = [
  ...['page', 'anchor', 'file', 'space', 'own-page', 'gone-page', 'relative'],
  ...['app-space', 'app-page', 'app-change', 'app-short', 'published', 'public', 'site', 'web', 'mail'],
] as const;

export interface GeneratedSpace {
  /** Depth first; each page is below the one before where `nested`. */
  pages: number;
  nested: boolean;
  files: number;
  published: boolean;
  /** `gone` is deleted; `foreign` is in another organization. */
  state: 'live' | 'gone' | 'foreign';
  title: string;
}

/** Places are counted round the end of their lists. */
export interface GeneratedLink {
  from: { space: number; page: number };
  to: { space: number; thing: number };
  kind: string;
}

export interface LinkedOrganization {
  spaces: GeneratedSpace[];
  links: GeneratedLink[];
}

const titles = [
  'Guide',
  'A "quoted" <b>title</b>',
  'end\nsubgraph',
  '日本語 🧭',
  '\u202egnitser',
  '] --> x[y',
];

const space: fc.Arbitrary<GeneratedSpace> = fc.record({
  pages: fc.integer({ min: 1, max: 3 }),
  nested: fc.boolean(),
  files: fc.integer({ min: 0, max: 2 }),
  published: fc.boolean(),
  state: fc.constantFrom('live', 'live', 'live', 'live', 'gone', 'foreign'),
  title: fc.constantFrom(...titles),
});

const place = fc.nat({ max: 5 });
const link: fc.Arbitrary<GeneratedLink> = fc.record({
  from: fc.record({ space: place, page: place }),
  to: fc.record({ space: place, thing: place }),
  kind: fc.constantFrom(...linkKinds),
});

export const linkedOrganization: fc.Arbitrary<LinkedOrganization> = fc.record({
  spaces: fc.array(space, { minLength: 2, maxLength: 5 }),
  links: fc.array(link, { minLength: 2, maxLength: 24 }),
});
