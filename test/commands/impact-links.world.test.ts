import { beforeAll, expect, test } from 'vitest';
import { pageId, spaceId, stateOf } from '../access/generated-links/organization.js';
import { opened } from '../opened.js';
import { World } from '../organization/generated/world.js';

/** `docs impact` names what links lead to. */

const space = { pages: 2, nested: true, files: 1, published: false, state: 'live' as const };
const link = (kind: string, thing = 0) => ({
  ...{ from: { space: 1, page: 0 }, to: { space: 0, thing }, kind },
});
const world = opened(() => World.open());
beforeAll(() => {
  world.load(
    stateOf({
      spaces: [
        { ...space, title: 'Guide' },
        { ...space, title: 'Other' },
      ],
      links: [link('page', 1), link('file'), link('space')],
    }),
  );
});

test('a page and its space by title, with their ids', async () => {
  const words = ['impact', 'delete', 'space', spaceId(0), '--only', 'links'];
  const text = await world.ok(words);
  const page = pageId(0, 1);
  const { links } = JSON.parse(await world.ok([...words, '--json'])) as {
    links: { to: Record<string, string> }[];
  };
  const targets = links.map(({ to }) => to);
  const to = targets.find((one) => one.page === page);
  expect(to).toMatchObject({ space: spaceId(0), title: expect.any(String), spaceTitle: 'Guide' });
  const guide = `space Guide (${spaceId(0)})`;
  expect(text).toContain(`page ${to?.title} (${page}) of ${guide}`);
  expect(text).toMatch(new RegExp(`file \\S+ of ${guide.replace(/[()]/g, '\\$&')}`));
  expect(text).toContain(`${guide}\n`);
});
