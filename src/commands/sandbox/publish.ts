import { existsSync } from 'node:fs';
import { Type } from '../../api/type.js';
import { manual } from '../../cli/declare/define.js';
import type { Offers } from '../../cli/declare/offers.js';
import { checked } from '../../output/check-mark.js';
import { done, text } from '../../output/printed-shapes.js';
import { fileOption, isDryRun, sandboxFiles, withControl } from './control.js';
import { chosenFile } from './served.js';

/** The sites of the sandbox; one that is published already is under the cursor, if there is one. */
const sitesHere: Offers = {
  none: 'The sandbox has no sites.',
  async list(session, { options }) {
    const { file } = sandboxFiles(session, options.file);
    if (!existsSync(file)) return [];
    const sites = await withControl(session, file, (control) => control.sites());
    return sites.map(({ id, title, isPublished }) => ({
      value: id,
      name: isPublished ? `${title} (published)` : title,
      id,
      current: isPublished,
    }));
  },
};

export const publish = manual({
  name: 'publish',
  summary: 'Publish a site of the sandbox',
  why:
    'The platform publishes sites in its app only, so no operation does it. The site needs a space; its ' +
    'visibility stays.',
  args: {
    '<site>': {
      description: 'Site, by id, title or basename',
      asTyped: true,
      offers: async () => sitesHere,
    },
  },
  options: [fileOption],
  returns: done(Type.Literal('published'), { title: text, url: text }),
  exits: ['not-found', 'conflict'],
  examples: { "sandbox publish 'Acme Docs'": 'publish a site, and print its address' },
  danger: 'change',
  effect: 'local',
  local: true,
  async run(session, { args, options }) {
    const file = await chosenFile(session, 'publish', options.file);
    if (await isDryRun(session, file)) return;
    const site = await withControl(session, file, (control) => control.publish(String(args.site)));
    const { id, title, url, changed } = site;
    const said = changed ? `Published ${title} at ${url}` : `${title} was published already, at ${url}`;
    await session.printer.done(
      { id, status: 'published', title, url },
      changed ? checked(session.io, said) : said,
    );
  },
});
