import type { WrittenPage } from '../content/sample-pages.js';
import { slugOf } from '../text.js';
import type { Random } from './seed.js';

const verbs =
  'Configure Review Deploy Monitor Rotate Restore Measure Migrate Schedule Document Test Archive'.split(' ');
const things =
  'backups alerts keys dashboards queues releases databases reports invoices tickets caches certificates experiments contracts surveys budgets'.split(
    ' ',
  );
const sentences = [
  'Start with the {thing} that nobody owns.',
  'Ask the team before you change {thing}.',
  'The {thing} are kept for ninety days.',
  'Never touch {thing} on a Friday.',
  'New {thing} appear in the weekly summary.',
  'A script checks all {thing} every night.',
  'Old {thing} are removed once a quarter.',
  'See who changed {thing} in the log.',
];
const headings = ['Before you begin', 'Steps', 'Who to ask', 'Exceptions', 'History', 'When it fails'];

const pagesPerChapter = 8;

/** A number of pages about a subject, in chapters of eight; `withFiles` links some to the sample files. */
export function furtherPages(random: Random, subject: string, count: number, withFiles: boolean) {
  const titles = titlesOf(random, count);
  const chapters: WrittenPage[] = [];
  for (let at = 0; at < count; at += pagesPerChapter) {
    const [head = '', ...rest] = titles.slice(at, at + pagesPerChapter);
    const links = rest.map((title) => `- [${title}](${slugOf(title, 'page')}.md)`);
    chapters.push({
      title: head,
      description: `${subject}: ${head.toLowerCase()}`,
      markdown: ['What to know about it.', links.join('\n')].filter(Boolean).join('\n\n'),
      // Some chapters are not for the robots of others.
      ...(at === pagesPerChapter * 5 && { attributes: { noRobotsIndex: true } }),
      pages: rest.map((title, index) => page(random, title, rest[index - 1], withFiles)),
    });
  }
  return chapters;
}

/** Unique titles: a verb and a noun, numbered once they run out. */
function titlesOf(random: Random, count: number): string[] {
  const shift = random.below(verbs.length * things.length);
  return Array.from({ length: count }, (_, index) => {
    const at = (shift + index * 7) % (verbs.length * things.length);
    const part = Math.floor(index / (verbs.length * things.length));
    const title = `${verbs[at % verbs.length]} ${things[Math.floor(at / verbs.length)]}`;
    return part === 0 ? title : `${title}, part ${part + 1}`;
  });
}

function page(random: Random, title: string, previous: string | undefined, withFiles: boolean): WrittenPage {
  const part = () => `## ${random.of(headings)}\n\n${paragraph(random)}`;
  const parts = Array.from({ length: 1 + random.below(3) }, part);
  const after = previous ? [`Before this one: [${previous}](${slugOf(previous, 'page')}.md).`] : [];
  const picture = withFiles && random.below(10) === 0 ? ['![Picture](../images/logo.png)'] : [];
  const lost = random.below(40) === 0 ? [`See [the old page](../archive/${slugOf(title, 'page')}.md).`] : [];
  return { title, markdown: [paragraph(random), ...picture, ...parts, ...after, ...lost].join('\n\n') };
}

function paragraph(random: Random): string {
  const sentence = () => random.of(sentences).replace('{thing}', random.of(things));
  return Array.from({ length: 2 + random.below(4) }, sentence).join(' ');
}
