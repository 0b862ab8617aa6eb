import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Home } from './program.js';
import { killedAt, type OnSite, type Release, type Section, startRelease, stateOf } from './release-home.js';

/** `docs release cut` of a section in a group, killed at each of its requests, before and after it is done. */

let release: Release;
beforeAll(async () => {
  release = await startRelease(withTwoGuides);
});
afterAll(() => release.close());
beforeEach(() => release.reset());

/** A second space in the section. */
async function withTwoGuides(home: Home, docs: string): Promise<void> {
  const at = ['--site', docs];
  const sections = await home.json<Section[]>(['sections', 'list', ...at]);
  const guides = sections.find(({ title }) => title === 'Guides')?.id ?? '';
  const spaces = await home.json<OnSite[]>(['site-spaces', 'list', ...at]);
  const api = spaces.find(({ title }) => title === 'API Reference')?.space.id ?? '';
  const { id } = await home.json<{ id: string }>(['spaces', 'duplicate', api]);
  await home.ok(['spaces', 'update', id, '--title', 'Tutorials']);
  await home.ok(['site-spaces', 'create', '--space-id', id, '--section', guides, ...at]);
}

const words = () => [
  ...['release', 'cut', '2.1', '--site', release.sites.docs, '--from', 'Guides'],
  ...['--make-default', '--yes'],
];
const changes = 12;

let whole: unknown;
test('uninterrupted', async () => {
  await release.home.ok(words());
  expect(release.forwarder.done).toHaveLength(changes);
  whole = await stateOf(release.home, { withIds: false });
});

/** Says of all items whose outcome is unknown that they did not happen. @returns their operations, each once */
async function settledByHand(): Promise<string[]> {
  const { home } = release;
  const { items } = await home.json<{ items: { index: number; status: string }[] }>(['jobs', 'show', 'last']);
  const lines = (home.journalTexts().at(-1) ?? '').split('\n').slice(1, -1);
  const planned = lines.map((line) => JSON.parse(line)).filter(({ is }) => is === 'planned');
  const unknown = items.filter(({ status }) => status === 'unknown').map(({ index }) => index);
  for (const index of unknown) await home.ok(['jobs', 'settle', 'last', String(index), '--not-done']);
  return [...new Set(unknown.map((index) => planned[index].op))];
}

const cases = Array.from({ length: changes }, (_, at) => [
  [at + 1, 'lost after'] as const,
  [at + 1, 'lost before'] as const,
]).flat();

test.each(cases)('kill -9 at request %i, %s', async (at, fate) => {
  await killedAt(release, words(), at, fate);
  let resumed = await release.home.run(['jobs', 'resume', 'last']);
  if (resumed.code === 3) {
    // No list proves that a duplication did not happen, and two are sent at once. So a person says it, never for more.
    expect(await settledByHand()).toEqual(['spaces.duplicate']);
    resumed = await release.home.run(['jobs', 'resume', 'last']);
  }
  expect({ code: resumed.code, stderr: resumed.stderr }).toMatchObject({ code: 0 });
  expect(await stateOf(release.home, { withIds: false })).toEqual(whole);
  expect(release.forwarder.done).toHaveLength(changes);
});
