import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Home } from './program.js';
import { killedAt, type OnSite, type Release, type Section, startRelease, stateOf } from './release-home.js';

/** `docs sites release cut`, killed at each of its requests: resuming ends in the same state, and copies nothing twice. */

export type Fate = 'lost before' | 'lost after';

/** @param fates how the requests are lost at which it is killed, given their number and whether the site has sections */
export function killedAtEach(fates: (at: number, hasSections: boolean) => readonly Fate[]): void {
  let release: Release;
  beforeAll(async () => {
    release = await startRelease(withTwoGuides);
  });
  afterAll(() => release.close());
  beforeEach(() => release.reset());

  describe.each([
    ['a space of a site without sections', 'plain', 'API Reference', 6],
    ['a section in a group', 'docs', 'Guides', 12],
  ] as const)('%s', (_, site, from, changes) => {
    const words = () => [
      ...['release', 'cut', '2.1', '--site', release.sites[site], '--from', from],
      ...['--make-default', '--yes'],
    ];
    let whole: unknown;
    test('uninterrupted', async () => {
      await release.home.ok(words());
      expect(release.forwarder.done).toHaveLength(changes);
      whole = stateOf(release, { withIds: false });
    });

    const cases = Array.from({ length: changes }, (_each, at) => at + 1).flatMap((at) =>
      fates(at, site === 'docs').map((fate) => [at, fate] as const),
    );
    test.each(cases)('killed at request %i, %s', async (at, fate) => {
      await killedAt(release, words(), at, fate);
      let resumed = await release.home.run(['jobs', 'resume', 'last']);
      if (resumed.code === 3) {
        // No list proves that a duplication did not happen, and two are sent at once. So a person says it, never for more.
        expect(await settledByHand(release)).toEqual(['spaces.duplicate']);
        resumed = await release.home.run(['jobs', 'resume', 'last']);
      }
      expect({ code: resumed.code, stderr: resumed.stderr }).toMatchObject({ code: 0 });
      expect(stateOf(release, { withIds: false })).toEqual(whole);
      expect(release.forwarder.done).toHaveLength(changes);
    });
  });
}

/** A second space in the section, which visitors see first. */
async function withTwoGuides(home: Home, docs: string): Promise<void> {
  const at = ['--site', docs];
  const sections = await home.json<Section[]>(['sections', 'list', ...at]);
  const guides = sections.find(({ title }) => title === 'Guides')?.id ?? '';
  const spaces = await home.json<OnSite[]>(['site-spaces', 'list', ...at]);
  const api = spaces.find(({ title }) => title === 'API Reference')?.space.id ?? '';
  const { id } = await home.json<{ id: string }>(['spaces', 'duplicate', api]);
  await home.ok(['spaces', 'update', id, '--title', 'Tutorials']);
  await home.ok(['site-spaces', 'create', '--space-id', id, '--section', guides, ...at]);
  await home.ok(['sites', 'update', docs, '--default-section', guides]);
}

/** Says of all items whose outcome is unknown that they did not happen. @returns their operations, each once */
async function settledByHand({ home }: Release): Promise<string[]> {
  const { items } = await home.json<{ items: { index: number; status: string }[] }>(['jobs', 'show', 'last']);
  const lines = (home.journalTexts().at(-1) ?? '').split('\n').slice(1, -1);
  const planned = lines.map((line) => JSON.parse(line)).filter(({ is }) => is === 'planned');
  const unknown = items.filter(({ status }) => status === 'unknown').map(({ index }) => index);
  for (const index of unknown) await home.ok(['jobs', 'settle', 'last', String(index), '--not-done']);
  return [...new Set(unknown.map((index) => planned[index].op))];
}
